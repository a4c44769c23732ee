import { useEffect, useRef } from 'react'

/** What lies open over the page, the last one on top: how each is closed. */
const opened: (() => void)[] = []
/**
 * A step back that we asked for has not happened yet: the browser takes it later. What is written into the history until then is held
 * back, because the step would lead away from a page that was opened meanwhile. This writes it, and says whether there was any.
 */
let release: (() => boolean) | null = null

/** How many open things the present step of the history was made for. */
function noted(): number {
  const state: unknown = window.history.state
  const depth = typeof state === 'object' && state !== null && 'opened' in state ? state.opened : 0
  return typeof depth === 'number' ? depth : 0
}

const note = (depth: number) => ({ ...window.history.state, opened: depth })

function stepBack(steps: number): void {
  const { history } = window
  const { pushState, replaceState } = history
  const held: (() => void)[] = []
  history.pushState = (...given) => void held.push(() => history.pushState(...given))
  history.replaceState = (...given) => void held.push(() => history.replaceState(...given))
  release = () => {
    release = null
    Object.assign(history, { pushState, replaceState })
    for (const write of held) write()
    return held.length > 0
  }
  history.go(-steps)
}

/** Takes steps of the history until there is one for each thing that is open. */
function keepUp(): void {
  if (release !== null) return
  for (let depth = noted() + 1; depth <= opened.length; depth += 1) window.history.pushState(note(depth), '')
  const extra = noted() - opened.length
  if (extra > 0) stepBack(extra)
}

function onStep(): void {
  if (release !== null) {
    const hasLed = release()
    keepUp()
    // The router looks at the address when it hears of a step: this one ended where the writing led.
    if (hasLed) window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
    return
  }
  for (const close of opened.splice(noted()).reverse()) close()
}

/** Listens from the first use on. What a reload left behind was closed by it. */
function begin(): void {
  if (noted() > 0) window.history.replaceState(note(0), '')
  window.addEventListener('popstate', onStep)
}
let hasBegun = false

/**
 * Back closes what lies open over a page, the last one first, and not the page under it: opening is a step of the browser's
 * history at the same address, and closing in another way takes the step away again. One that opens where another closes
 * takes over its step. A link that is followed from within leaves the step behind: back leads to the page as it was.
 * @param isOpen false where something else takes care of it
 */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return
    if (!hasBegun) begin()
    hasBegun = true
    const close = () => latest.current()
    opened.push(close)
    keepUp()
    return () => {
      const place = opened.indexOf(close)
      if (place !== -1) opened.splice(place, 1)
      // Not before it is known whether another one opens.
      setTimeout(keepUp)
    }
  }, [isOpen])
}
