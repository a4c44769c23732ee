import { useCallback, useEffect, useRef, useState } from 'react'
import { resolveValue, toast as say, type Toast, useToaster, useToasterStore } from 'react-hot-toast/headless'
import { IconAlertCircle, IconCircleCheck } from './icons.ts'
import './toasts.css'

const GUTTER = 8

/** Milliseconds. The library shows errors for 4000 and successes for 2000, and keeps at most 20 toasts at once. */
export const TOAST_OPTIONS = { removeDelay: 1000 }

/** What went wrong is said at once. The library's own marks would win over those of its options. */
const AT_ONCE = { role: 'alert', 'aria-live': 'assertive' } as const

/** What was said before this code was here lasts from now on: said once more under its number, a toast begins anew. */
export function Toasts() {
  const { toasts } = useToasterStore(TOAST_OPTIONS)
  const waiting = useRef(toasts)
  const [hasBegun, setBegun] = useState(false)
  useEffect(() => {
    for (const { type, message, createdAt: _said, ...options } of waiting.current)
      (type === 'blank' ? say : say[type])(message, options)
    setBegun(true)
  }, [])
  return hasBegun ? <Drawn /> : null
}

/**
 * The library keeps the queue and its clock; the looks are ours. Its own bars write a style sheet into the page, which
 * the Content-Security-Policy keeps out.
 */
function Drawn() {
  const { toasts, handlers } = useToaster(TOAST_OPTIONS)
  const { calculateOffset, updateHeight } = handlers
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer that rests here stops the clock, nothing more
    <div
      className="toasts"
      aria-live="off"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((toast) => (
        <ToastBar
          key={toast.id}
          toast={toast}
          offset={calculateOffset(toast, { gutter: GUTTER })}
          onHeight={updateHeight}
        />
      ))}
    </div>
  )
}

interface ToastBarProps {
  toast: Toast
  /** Pixels below the first one. */
  offset: number
  onHeight: (id: string, height: number) => void
}

function ToastBar({ toast, offset, onHeight }: ToastBarProps) {
  const { id, message } = toast
  // The text may change while it is shown (loading, then done), and with it the room it takes.
  const measure = useCallback(
    (bar: HTMLDivElement | null) => {
      if (bar === null) return
      const tell = () => onHeight(id, bar.getBoundingClientRect().height)
      tell()
      const observer = new ResizeObserver(tell)
      observer.observe(bar)
      return () => observer.disconnect()
    },
    [id, onHeight],
  )
  const text = resolveValue(message, toast)
  return (
    <div
      ref={measure}
      className="toast-place"
      data-shown={toast.visible || undefined}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <div className={`toast toast-${toast.type} ${toast.className ?? ''}`}>
        {toast.icon ?? <ToastIcon type={toast.type} />}
        <div className="toast-text" {...(toast.type === 'error' ? AT_ONCE : toast.ariaProps)}>
          {text}
        </div>
      </div>
    </div>
  )
}

function ToastIcon({ type }: Pick<Toast, 'type'>) {
  if (type === 'success') return <IconCircleCheck size={20} stroke={1.8} aria-hidden="true" />
  if (type === 'error') return <IconAlertCircle size={20} stroke={1.8} aria-hidden="true" />
  return type === 'loading' ? <span className="spinner" aria-hidden="true" /> : null
}
