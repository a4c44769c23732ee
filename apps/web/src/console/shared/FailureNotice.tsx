import type { Failure } from '../../api/failure.ts'
import { IconAlertCircle } from '../../ui/icons.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useFailureText } from '../../ui/useFailureText.ts'

/** Why a request was refused, at the place where it was made. Announced when it appears. */
export function FailureNotice({ failure }: { failure: Failure | null }) {
  const sayFailure = useFailureText()
  return (
    <div role="alert" className="failure-place">
      {failure === null ? null : (
        <Notice kind="bad" icon={IconAlertCircle} stroke={1.7}>
          {sayFailure(failure)}
        </Notice>
      )}
    </div>
  )
}
