import { useWindowEvent } from '@mantine/hooks'
import { type FocusEvent, useRef } from 'react'

/**
 * For a form whose fields say what is wrong once they are left. A press takes the focus from a field before the button is let go. What
 * the field says then moves what is below it from under the pointer, and the press is lost. So the field is left when the press has ended.
 */
export function usePressFirst() {
  const isPressing = useRef(false)
  const left = useRef<HTMLElement | null>(null)
  const leave = () => {
    isPressing.current = false
    const field = left.current
    left.current = null
    if (field?.isConnected && field !== document.activeElement)
      field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  }
  // The click comes after the pointer was let go, in the same task.
  const end = () => void setTimeout(leave)
  useWindowEvent('pointerdown', () => {
    isPressing.current = true
  })
  useWindowEvent('pointerup', end)
  useWindowEvent('pointercancel', end)
  return {
    onBlurCapture: (event: FocusEvent<HTMLElement>) => {
      if (!isPressing.current) return
      event.stopPropagation()
      left.current = event.target
    },
  }
}
