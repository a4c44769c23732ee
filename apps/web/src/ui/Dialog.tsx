import { useFocusTrap } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import './dialog.css'
import { IconX } from './icons.ts'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Pixels, or a length. */
  width?: number | string
  /** The id of what it asks, where that has to be answered before anything else. */
  asks?: string
}

/** A modal dialog: keeps the focus inside, gives it back on closing, closes on Escape and on the backdrop. */
export function Dialog({ title, onClose, children, width = 480, asks }: DialogProps) {
  const { t } = useTranslation('ui')
  const id = useId()
  const trap = useFocusTrap(true)
  const question = asks === undefined ? {} : { role: 'alertdialog', 'aria-describedby': asks }
  // Known before the trap moves the focus away.
  const [opener] = useState(() => document.activeElement)

  useEffect(() => {
    const root = document.documentElement
    const before = root.style.overflow
    const gap = window.innerWidth - root.clientWidth
    root.style.overflow = 'hidden'
    document.body.style.paddingRight = `${gap}px`
    return () => {
      root.style.overflow = before
      document.body.style.paddingRight = ''
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opener])

  useKeysOfNobody(id, onClose)

  return createPortal(
    <div className="dialog-layer">
      <div className="dialog-backdrop" onPointerDown={onClose} aria-hidden="true" />
      <div
        ref={trap}
        className="dialog"
        role="dialog"
        aria-modal="true"
        {...question}
        aria-labelledby={id}
        tabIndex={-1}
        style={{ maxWidth: width }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
      >
        <div className="dialog-head">
          <h2 id={id} className="dialog-title">
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}>
            <IconX size={20} stroke={1.6} />
          </button>
        </div>
        <div className="dialog-body">{children}</div>
      </div>
    </div>,
    document.body,
  )
}

/** A button that is busy drops the focus: the keys go to nobody then, and are the topmost dialog's all the same. */
function useKeysOfNobody(titleId: string, onClose: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.target !== document.body) return
      const dialog = [...document.querySelectorAll<HTMLElement>('.dialog')].at(-1)
      if (dialog?.getAttribute('aria-labelledby') !== titleId) return
      if (event.key === 'Escape') onClose()
      else if (event.key === 'Tab') dialog.focus()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [titleId, onClose])
}
