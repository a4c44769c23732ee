import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useFormats } from '../../../ui/useFormats.ts'

interface ZeroDialogProps {
  day: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** A day that pays nothing is allowed, but never by a slip. */
export function ZeroDialog({ day, busy, onConfirm, onClose }: ZeroDialogProps) {
  const { t } = useTranslation(['console/plan', 'console/shared'])
  const formats = useFormats()
  const close = () => {
    if (!busy) onClose()
  }
  return (
    <Dialog title={t('rates.zero.title', { day: formats.day(day) })} width={460} onClose={close}>
      <div className="decision">
        <p>{t('rates.zero.text')}</p>
        <div className="dialog-actions">
          <Button onClick={close} disabled={busy} data-autofocus>
            {t('console/shared:code.back')}
          </Button>
          <Button kind="danger" busy={busy} onClick={onConfirm}>
            {t('rates.zero.confirm')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
