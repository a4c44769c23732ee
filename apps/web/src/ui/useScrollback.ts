import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Spoken } from './Conversation.tsx'

/** Pixels from the end that still count as being there. */
const NEAR = 60

/**
 * Messages that grow at both ends, in a box that scrolls: it follows what is new while its end is in view or the new is
 * one's own, and stays where it is when older ones come in above.
 * @returns `log`, the attributes of the box, which the keyboard reaches as it scrolls
 */
export function useScrollback(messages: readonly Spoken[]) {
  const first = messages[0]?.key
  const last = messages.at(-1)?.key
  const lastIsOwn = messages.at(-1)?.own === true
  const box = useRef<HTMLDivElement>(null)
  const before = useRef({ first, last, height: 0, isAtEnd: true })
  const [hasNews, setHasNews] = useState(false)

  const toEnd = () => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight
    setHasNews(false)
  }

  // After every change: what is there may have grown as well.
  useLayoutEffect(() => {
    const list = box.current
    if (list === null) return
    const was = before.current
    const isNew = was.last !== last
    if (was.isAtEnd || (isNew && lastIsOwn)) list.scrollTop = list.scrollHeight
    else if (isNew) setHasNews(true)
    else if (was.first !== first) list.scrollTop += list.scrollHeight - was.height
    before.current = { ...was, first, last, height: list.scrollHeight }
  })

  // The box itself shrinks when more is typed below it, and when a phone's keyboard comes up.
  useEffect(() => {
    const list = box.current
    if (list === null) return
    const observer = new ResizeObserver(() => {
      if (before.current.isAtEnd) list.scrollTop = list.scrollHeight
    })
    observer.observe(list)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    const list = box.current
    if (list === null) return
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR
    before.current = { ...before.current, isAtEnd }
    if (isAtEnd) setHasNews(false)
  }
  const log = { ref: box, onScroll, 'aria-live': 'off', tabIndex: 0 } as const
  return { log, hasNews, toEnd }
}
