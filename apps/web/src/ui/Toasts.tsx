import { Toaster } from 'react-hot-toast'
import './toasts.css'

const REMOVAL = 1000
/** The library itself keeps at most 20 at once. */
const DURATIONS = { blank: 4000, error: 4000, success: 2000, loading: Number.POSITIVE_INFINITY, custom: 4000 }

export function Toasts() {
  return (
    <Toaster
      position="top-center"
      gutter={8}
      containerClassName="toasts"
      toastOptions={{
        className: 'toast',
        duration: DURATIONS.blank,
        removeDelay: REMOVAL,
        success: {
          duration: DURATIONS.success,
          iconTheme: { primary: 'var(--ok)', secondary: 'var(--card)' },
        },
        error: {
          duration: DURATIONS.error,
          iconTheme: { primary: 'var(--bad)', secondary: 'var(--card)' },
          ariaProps: { role: 'alert', 'aria-live': 'assertive' },
        },
        loading: { duration: DURATIONS.loading },
        custom: { duration: DURATIONS.custom },
      }}
    />
  )
}
