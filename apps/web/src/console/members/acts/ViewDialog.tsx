import type { MemberView } from '@aval/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { IconExternalLink, IconEye } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { FailureNotice } from '../../shared/DecisionForm.tsx'
import { memberLink } from '../../shared/place.ts'
import { useElevated } from '../../shared/useElevated.ts'
import { useViewMemberMutation } from './api.ts'
import { openView } from './openView.ts'

const SHORTEST = 3

/** Why the operator looks; then the way into the member's pages, in a tab of their own. */
export function ViewDialog(props: { member: number; username: string; onClose: () => void }) {
  const { member, username, onClose } = props
  const { t } = useTranslation('console/members/acts')
  const [view, setView] = useState<MemberView | null>(null)
  const title = t('view.title', { member: username })
  return (
    <Dialog title={title} width={480} onClose={onClose}>
      {view === null ? (
        <Ask member={member} onView={setView} onClose={onClose} />
      ) : (
        <div className="stack-14">
          <Notice kind="ok" icon={IconEye} role="status">
            {t('view.ready', { until: formats.time(view.until) })}
          </Notice>
          <div className="dialog-actions row-8 row-end">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button
              kind="primary"
              icon={<IconExternalLink size={18} stroke={1.7} />}
              data-autofocus
              onClick={() => {
                if (openView({ ...view, back: memberLink(member) })) onClose()
              }}
            >
              {t('view.open', { member: username })}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

interface AskProps {
  member: number
  onView: (view: MemberView) => void
  onClose: () => void
}

function Ask({ member, onView, onClose }: AskProps) {
  const { t } = useTranslation('console/members/acts')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [send, { isLoading }] = useViewMemberMutation()
  const elevated = useElevated()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim().length < SHORTEST) {
      setError(t('reason.missing'))
      return
    }
    setError(undefined)
    const outcome = await elevated(() => send({ member, reason: reason.trim() }))
    if (outcome.data !== undefined) onView(outcome.data)
    else setFailure((outcome.error as Failure | undefined) ?? null)
  }
  return (
    <form className="stack-14" noValidate onSubmit={(event) => void submit(event)}>
      <p className="muted">{t('view.text')}</p>
      <Field
        label={t('reason.label')}
        hint={t('reason.hint')}
        autoComplete="off"
        maxLength={200}
        data-autofocus
        value={reason}
        error={error}
        onChange={(event) => setReason(event.target.value)}
      />
      <FailureNotice failure={failure} />
      <div className="dialog-actions row-8 row-end">
        <Button onClick={onClose} disabled={isLoading}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={isLoading}>
          {t('view.submit')}
        </Button>
      </div>
    </form>
  )
}
