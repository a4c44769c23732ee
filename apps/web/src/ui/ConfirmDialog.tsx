import { useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { IconAlertTriangle } from './icons.ts'

interface ConfirmDialogProps {
  title: string
  text: string
  confirm: string
  cancel: string
  /** What was confirmed is being done. */
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before something final. The focus starts on cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, cancel, busy, onConfirm, onClose } = props
  const id = useId()
  return (
    <Dialog title={title} width="32em" asks={id} onClose={onClose}>
      <div className="row-12 one-line">
        <span className="confirm-mark centred" aria-hidden="true">
          <IconAlertTriangle size={24} stroke={1.7} />
        </span>
        <p id={id}>{text}</p>
      </div>
      <div className="confirm-choice row-8 row-end">
        <Button data-autofocus onClick={onClose}>
          {cancel}
        </Button>
        <Button kind="primary" busy={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
