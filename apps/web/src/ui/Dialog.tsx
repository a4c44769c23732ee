import { useState } from 'react'
import type { DialogProps } from './DialogPopup.tsx'
import { lazyPart } from './lazyPart.ts'
import { Overlay } from './Overlay.tsx'

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
