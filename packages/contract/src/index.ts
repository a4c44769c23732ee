/** Schemas of every call, shared by server and web. The shapes are the wire's: amounts as text, dates as ISO in UTC. */
export * from './accounts.ts'
export * from './common.ts'
export * from './dashboard.ts'
export * from './demo.ts'
export * from './errors.ts'
export * from './operator.ts'
export * from './payments.ts'
export * from './plans.ts'
