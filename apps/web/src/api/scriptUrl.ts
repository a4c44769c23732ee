/**
 * The one door for the address of a worker: the server's policy lets a page run no other (Trusted Types). It opens for
 * our own files alone.
 */

interface ScriptRules {
  createScriptURL(url: string): string
}

/** As much of the browser's factory as is needed; not every browser has one. */
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptRules): ScriptRules
}

/** @throws TypeError when the address is not that of a file of ours. */
export function ownScript(url: string, origin: string): string {
  const target = new URL(url, origin)
  const isOurs = target.origin === origin && /^https?:$/.test(target.protocol)
  if (!isOurs || /^\/api(\/|$)/.test(target.pathname)) throw new TypeError(`no script of this site: ${url}`)
  return url
}

const rules: ScriptRules = { createScriptURL: (url) => ownScript(url, globalThis.location.origin) }
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('aval', rules) ?? rules

/** For `new Worker` and the like. A browser that knows Trusted Types gets an object that only looks like a string. */
export const scriptUrl = (url: string): string => policy.createScriptURL(url)
