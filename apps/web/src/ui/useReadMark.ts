import { useEffect, useRef } from 'react'

/** Marks the newest message as read, once each, while it is in sight and something is unread. */
export function useReadMark(
  newest: { id: number; unread: number },
  visible: boolean,
  mark: (id: number) => unknown,
) {
  const marked = useRef(0)
  const { id, unread } = newest
  useEffect(() => {
    if (!visible || unread === 0 || id <= marked.current) return
    marked.current = id
    void mark(id)
  }, [visible, unread, id, mark])
}
