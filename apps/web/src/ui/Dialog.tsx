import { type ReactNode, useState } from 'react'
import { lazyPart } from './lazyPart.ts'
import { Overlay } from './Overlay.tsx'

export interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Pixels, or a length. */
  width?: number | string
  /** The id of the question that has to be answered first; makes it an alert dialog. */
  asks?: string
}

const DialogPopup = lazyPart(async () => ({ default: (await import('./DialogPopup.tsx')).DialogPopup }))

/** A modal dialog. Its behaviour is Base UI's, which is fetched with the first dialog. */
export function Dialog(props: DialogProps) {
  // Noted before the focus moves into the dialog.
  const [opener] = useState(() => document.activeElement)
  return (
    <Overlay onClose={props.onClose}>
      <DialogPopup {...props} opener={opener} />
    </Overlay>
  )
}

export const prefetchDialog = DialogPopup.prefetch
