import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { IconDownload } from '../../../../ui/icons.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { FormDialog } from '../../FormDialog.tsx'
import { ProofFields } from '../../passkeys/components/ProofFields.tsx'
import { useProof } from '../../passkeys/useProof.ts'
import { SecurityCard } from '../../SecurityCard.tsx'
import { fetchOwnData } from '../api.ts'
import { PrivacyTerms } from './PrivacyTerms.tsx'
import './privacy.css'

type Kind = 'json' | 'csv'

/** Everything that is kept of the member as a file, and who sees what of it. */
export function OwnDataCard({ withCode }: { withCode: boolean }) {
  const { t } = useTranslation('identity/privacy')
  const [asked, setAsked] = useState<Kind | 'who' | null>(null)
  const close = () => setAsked(null)
  return (
    <SecurityCard id="security-data" icon={IconDownload} title={t('data.title')}>
      <p className="muted security-form">{t('data.text')}</p>
      <div className="row-12 privacy-actions">
        <Button onClick={() => setAsked('json')}>{t('data.json')}</Button>
        <Button onClick={() => setAsked('csv')}>{t('data.csv')}</Button>
        <button type="button" className="link-button small" onClick={() => setAsked('who')}>
          {t('data.who')}
        </button>
      </div>
      {asked === 'json' || asked === 'csv' ? (
        <Download kind={asked} withCode={withCode} onClose={close} />
      ) : null}
      {asked === 'who' ? (
        <Dialog title={t('data.who')} width={600} onClose={close}>
          <div className="stack-14 privacy-terms">
            <PrivacyTerms />
            <Button onClick={close}>{t('closing.understood')}</Button>
          </div>
        </Dialog>
      ) : null}
    </SecurityCard>
  )
}

function Download({ kind, withCode, onClose }: { kind: Kind; withCode: boolean; onClose: () => void }) {
  const { t } = useTranslation('identity/privacy')
  const sayFailure = useFailureText()
  const proof = useProof(withCode)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async () => {
    const typed = proof.read()
    if (typed === null || busy) return
    setBusy(true)
    setProblem(null)
    const answer = await fetchOwnData(kind, typed)
    setBusy(false)
    if ('error' in answer) {
      if (!proof.refused(answer.error)) setProblem(sayFailure(answer.error))
      return
    }
    const day = new Date().toISOString().slice(0, 10)
    saveFile(answer.data, `aval-${day}.${kind === 'csv' ? 'zip' : 'json'}`)
    toast.success(t('data.done'))
    onClose()
  }
  return (
    <FormDialog
      title={t('data.askTitle')}
      text={t('data.askText')}
      problem={{ kind: 'wait', text: problem }}
      action={t('data.ask')}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <ProofFields proof={proof} />
    </FormDialog>
  )
}
