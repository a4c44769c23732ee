import { useTranslation } from 'react-i18next'
import type { Failure } from '../api/failure.ts'

/** The text for a failed request: the server's own sentence, or else the kind of failure. */
export function useFailureText(): (failure: Failure | undefined) => string {
  const { t } = useTranslation('ui')
  return (failure) => {
    if (failure === undefined) return t('failure.other')
    if (failure.detail !== undefined) return failure.detail
    if (failure.status === 'TIMEOUT_ERROR') return t('failure.timeout')
    if (failure.status === 'PARSING_ERROR') return t('failure.unreadable')
    if (failure.status === 'FETCH_ERROR') return t(navigator.onLine ? 'failure.unreached' : 'failure.offline')
    return t(failure.status >= 500 ? 'failure.server' : 'failure.other')
  }
}
