/** What operators approve, as their browser, the signer and a machine without a network each compute it by themselves. */

export * from './member.ts'
export * from './merkle.ts'
export * from './request.ts'
