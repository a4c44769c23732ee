import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../api/failure.ts'
import { useFailureText } from './useFailureText.ts'

/** Reports a failed action: the server's own sentence, or else that an error occurred and its kind. */
export function useFailureToast(): (failure: Failure) => void {
  const { t } = useTranslation('ui')
  const sayFailure = useFailureText()
  return (failure) => {
    const heading = t('failure.other')
    const sentence = sayFailure(failure)
    if (failure.detail !== undefined || sentence === heading) toast.error(sentence)
    else
      toast.error(
        <span className="toast-lines">
          <strong>{heading}</strong>
          <span className="muted small">{sentence}</span>
        </span>,
      )
  }
}
