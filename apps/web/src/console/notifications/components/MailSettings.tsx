import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import {
  type NotificationSettings,
  useChooseNotificationMutation,
  useNotificationSettingsQuery,
} from '../api.ts'

/** Which kinds come by mail as well; some always do. */
export function MailSettings() {
  const { t } = useTranslation('console/notifications')
  const query = useNotificationSettingsQuery()
  return (
    <div className="stack-8">
      <p className="muted">{t('mailText')}</p>
      <Loaded query={query} hold={<Skeleton width="100%" height={160} />}>
        {({ kinds }) => (
          <ul className="stack-8">
            {kinds.map((each) => (
              <li key={each.kind}>
                <Choice {...each} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  )
}

function Choice({ kind, mailed, always }: NotificationSettings['kinds'][number]) {
  const { t } = useTranslation('console/notifications')
  const id = useId()
  const [choose, { isLoading }] = useChooseNotificationMutation()
  const sayFailure = useFailureToast()
  const change = async (wanted: boolean) => {
    const { error } = await choose({ kind, mailed: wanted })
    if (error !== undefined) sayFailure(error as Failure)
  }
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={mailed}
        disabled={always || isLoading}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      <label htmlFor={id}>
        <span>{t(`name.${kind}`)}</span>
        {always ? <span className="faint">{` ${t('always')}`}</span> : null}
      </label>
    </div>
  )
}
