import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useAbilities } from '../../shared/abilities.ts'
import { useElevated } from '../../shared/useElevated.ts'
import { useResendMailMutation } from './api.ts'

/** Sends one mail to its member once more. For a list of the mails that were sent. */
export function ResendMail({ member, mail }: { member: number; mail: number }) {
  const { t } = useTranslation('console/members/acts')
  const { may } = useAbilities()
  const [send, { isLoading }] = useResendMailMutation()
  const elevated = useElevated()
  const sayFailure = useFailureText()
  if (!may('members.help')) return null
  const press = async () => {
    const { data, error } = await elevated(() => send({ member, mail }))
    if (data !== undefined) toast.success(data.message)
    else if (error !== undefined) toast.error(sayFailure(error as Failure))
  }
  return (
    <Button size="small" kind="quiet" busy={isLoading} onClick={() => void press()}>
      {t('resend')}
    </Button>
  )
}
