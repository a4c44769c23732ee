import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button.tsx'
import { ReasonDialog } from './DecisionForm.tsx'
import { useEndSessionsOfMemberMutation } from './members.ts'

const LONGEST_REASON = 200

/** Ends every session of a member whose account or device is in doubt. */
export function EndSessions({ member, username }: { member: number; username: string }) {
  const { t } = useTranslation('console/shared')
  const [asking, setAsking] = useState(false)
  const [send] = useEndSessionsOfMemberMutation()
  const close = () => setAsking(false)
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('endSessions.button')}
      </Button>
      {asking ? (
        <ReasonDialog
          title={t('endSessions.title', { member: username })}
          width={480}
          send={send}
          what={t('endSessions.confirm', { member: username })}
          bodyOf={(reason) => ({ member, reason })}
          reason={{
            label: t('endSessions.reason'),
            hint: t('endSessions.hint'),
            longest: LONGEST_REASON,
            missing: t('endSessions.missing'),
          }}
          submit={t('endSessions.submit')}
          danger
          onDecided={close}
          onClose={close}
        >
          <p className="muted">{t('endSessions.text')}</p>
        </ReasonDialog>
      ) : null}
    </>
  )
}
