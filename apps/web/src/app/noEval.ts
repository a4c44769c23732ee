/**
 * A schema of zod's compiles itself where it may. Here it may not, and even its trying is reported by the browser. This is
 * the place of `z.config({ jitless: true })`, set without the ten kilobytes that calling it would bring to the first page.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
