/** Whether somebody is at this page: what it calls without anybody is marked, and does not keep an operator's session. */

/** Milliseconds after a touch of keyboard, mouse or screen in which what is called counts as that person's. */
const CAUSED_WITHIN = 10_000

/** Opening the page is one as well. */
let touchedAt = Date.now()

function touched({ isTrusted }: Event): void {
  // What a script makes up is nobody's.
  if (isTrusted) touchedAt = Date.now()
}

if (typeof window !== 'undefined')
  for (const kind of ['pointerdown', 'keydown'])
    window.addEventListener(kind, touched, { capture: true, passive: true })

/** The clock may be set back meanwhile. */
const isCausedByPerson = (now: number): boolean => Math.abs(now - touchedAt) <= CAUSED_WITHIN

/** What a call carries that no person caused: polling, asking again after a notice, renewing. */
export const backgroundMark = (now = Date.now()): Record<string, string> =>
  isCausedByPerson(now) ? {} : { 'Aval-Background': '1' }
