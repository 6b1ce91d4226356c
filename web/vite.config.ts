import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  plugins: [svelte(), tailwindcss(), svelteTesting()],
  build: {
    // public/.dist is copied back into the emptied folder: the Go embed needs
    // one committed file there, so that a checkout without a build compiles.
    outDir: path('../assets/dist'),
    emptyOutDir: true,
    manifest: true,
    // The first versions that know light-dark(): older targets would rewrite it.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Data URLs would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        main: path('src/main.ts'),
        pages: path('src/pages.css'),
        tab: path('src/signin/tab.ts'),
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': { target: process.env['KONTOR_URL'] ?? 'http://127.0.0.1:8787', ws: true },
    },
  },
  test: {
    environment: 'happy-dom',
    // One DOM for all files of a worker: ten times as fast. Tests clean up after themselves.
    isolate: false,
    // A click on a link must not reach for the network.
    environmentOptions: {
      happyDOM: {
        settings: { navigation: { disableMainFrameNavigation: true, disableChildPageNavigation: true } },
      },
    },
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
    // A busy machine draws a large form slowly; a test that hangs still ends.
    testTimeout: 60_000,
  },
})
