/** What a browser may do with our pages: nothing but what they need, and nothing from anywhere else. */
import { createHash } from 'node:crypto'

/** Name of the one Trusted Types policy; `apps/web/src/api/scriptUrl.ts` makes it. */
const SCRIPT_URLS = 'aval'

/** Powers of the browser that no page of ours uses, and the two that some do. */
const POWERS = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'usb', 'xr-spatial-tracking'],
].map((power) => `${power}=()`)
export const PERMISSIONS = [...POWERS, 'clipboard-write=(self)', 'fullscreen=(self)'].join(', ')

/** The source expression that lets exactly this inline script or style sheet through. */
export function inlineHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Source expressions of what a page has in itself, besides our files. */
interface Inline {
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
}

/** For a part of a page, which the page governs, and for what is never shown: it is no page, and stands in none. */
export const PART_POLICY = ['default-src', 'object-src', 'base-uri', 'frame-ancestors']
  .map((directive) => `${directive} 'none'`)
  .join(';')
/** For what members and strangers can make us answer: opened as a page it is one without scripts, forms or an origin. */
export const DATA_POLICY = `${PART_POLICY};form-action 'none';sandbox`

/** A year, as helmet has it. */
const HSTS = 'max-age=31536000; includeSubDomains'

/** What answers carry that no hook has dressed, because there was no request that could be read. */
export function bareHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': DATA_POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': HSTS }),
  }
}

/** @param publicUrl where people reach the product */
export function pagePolicy(publicUrl: string, { scripts = [], styles = [] }: Inline = {}) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...scripts],
      // No page turns text into a script, or names a script, but through the policy of that name.
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: [SCRIPT_URLS],
      styleSrc: ["'self'", ...styles],
      // Pictures drawn or chosen here: avatars before they are sent, what is exported.
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      workerSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      // On plain http it would send the browser to a port that does not answer.
      ...(publicUrl.startsWith('https:') && { upgradeInsecureRequests: [] }),
    },
  }
}
