// The shapes on the wire by name. They are generated from the OpenAPI document
// (`npm run gen`); nothing is typed by hand here.
import type { components } from './wire.gen'

type Schemas = components['schemas']

export type About = Schemas['About']
export type Access = Schemas['Access']
export type Asker = Schemas['Asker']
export type Auth = Schemas['Auth']
export type Boot = Schemas['Boot']
export type Call = Schemas['Call']
export type CallState = Call['state']
export type CompleteRef = Schemas['CompleteRef']
export type Content = Schemas['Content']
export type Elicitation = Schemas['Elicitation']
export type Import = Schemas['Import']
export type Inbox = Schemas['Inbox']
/** An inbox item of any kind; `kind` tells which. */
export type Item = Elicitation | SignInItem | Schemas['Item']
export type ItemKind = Item['kind']
export type LogEntry = Schemas['LogEntry']
export type Media = Schemas['Media']
export type OAuth = Schemas['OAuth']
export type Problem = Schemas['Problem']
export type Prompt = Schemas['Prompt']
export type PromptMessages = Schemas['PromptMessages']
export type Resolution = Schemas['Resolution']
export type Resource = Schemas['Resource']
export type Server = Schemas['Server']
export type ServerConfig = Schemas['ServerConfig']
export type ServerState = Server['status']['state']
export type Settings = Schemas['Settings']
export type SignIn = Schemas['SignIn']
export type SignInItem = Schemas['SignInItem']
export type Stage = Schemas['Stage']
export type Trial = Schemas['Trial']
export type Subscription = Schemas['Subscription']
export type Theme = Settings['theme']
export type Token = Schemas['Token']
export type Tool = Schemas['Tool']
export type TraceEntry = Schemas['TraceEntry']
export type WebSession = Schemas['WebSession']

/** Everything that comes over the socket; `type` tells which. */
export type Event = Schemas['Event']
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>
