import { mount } from 'svelte'
import './app.css'
import Root from './App.svelte'
import { App } from './shell/app.svelte'
import { readBoot } from './shell/boot'

const target = document.getElementById('app')
if (!target) throw new Error('The page has no #app to draw into.')
target.replaceChildren()
mount(Root, { target, props: { app: new App(readBoot(document)) } })
