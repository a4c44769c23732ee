import { useEffect, useRef } from 'react'

/** What lies open over the page, the last one on top: how each is closed. */
const opened: (() => void)[] = []
/** A step back that we asked for has not happened yet: the browser takes it later. */
let isStepping = false

/** How many open things the present step of the history was made for. */
function noted(): number {
  const state: unknown = window.history.state
  const depth = typeof state === 'object' && state !== null && 'opened' in state ? state.opened : 0
  return typeof depth === 'number' ? depth : 0
}

const note = (depth: number) => ({ ...window.history.state, opened: depth })

/** Takes steps of the history until there is one for each thing that is open. */
function keepUp(): void {
  if (isStepping) return
  for (let depth = noted() + 1; depth <= opened.length; depth += 1) window.history.pushState(note(depth), '')
  const extra = noted() - opened.length
  if (extra <= 0) return
  isStepping = true
  window.history.go(-extra)
}

function onStep(): void {
  if (isStepping) {
    isStepping = false
    keepUp()
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
