import { Dialog as Kit } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import './dialog.css'
import { IconX } from './icons.ts'
import { useBackCloses } from './useBackCloses.ts'

export interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Pixels, or a length. */
  width?: number | string
  /** The id of the question that has to be answered first; makes it an alert dialog. */
  asks?: string
  /** That it is open is said by the address: back closes it by that. */
  inAddress?: boolean
}

interface DialogPopupProps extends DialogProps {
  opener: Element | null
}

/**
 * What was done in a dialog may have taken away the button that opened it; and one that worked before it opened the dialog was disabled
 * meanwhile, so that nothing had the focus. The kit would then put it on the first thing of the document, the link that skips the
 * navigation, which lays itself over the header; so it goes to the first thing of the page.
 */
const backTo = (opener: Element | null): HTMLElement | true =>
  (opener?.isConnected === true && opener !== document.body
    ? (opener as HTMLElement)
    : document.getElementById('main')) ?? true

/** Keeps the focus inside, returns it on closing, closes on Escape, on the backdrop and on the way back. */
export function DialogPopup(props: DialogPopupProps) {
  const { title, onClose, children, width = 480, asks, inAddress = false, opener } = props
  const { t } = useTranslation('ui')
  useBackCloses(!inAddress, onClose)
  const popup = useRef<HTMLDivElement>(null)
  const question = asks === undefined ? {} : { role: 'alertdialog', 'aria-describedby': asks }
  return (
    <Kit.Root open onOpenChange={onClose}>
      <Kit.Portal>
        {/* Also over another dialog, which would stay as bright as the question before it. */}
        <Kit.Backdrop forceRender className="dialog-backdrop" />
        <Kit.Viewport className="dialog-layer">
          <Kit.Popup
            ref={popup}
            className="dialog"
            aria-modal="true"
            {...question}
            style={{ maxWidth: width }}
            initialFocus={() => popup.current?.querySelector<HTMLElement>('[data-autofocus]') ?? true}
            finalFocus={() => backTo(opener)}
          >
            <div className="dialog-head row-12 row-apart one-line">
              <Kit.Title className="dialog-title">{title}</Kit.Title>
              <Kit.Close className="icon-button" aria-label={t('close')}>
                <IconX size={20} stroke={1.6} />
              </Kit.Close>
            </div>
            <div className="dialog-body">{children}</div>
          </Kit.Popup>
        </Kit.Viewport>
      </Kit.Portal>
    </Kit.Root>
  )
}
