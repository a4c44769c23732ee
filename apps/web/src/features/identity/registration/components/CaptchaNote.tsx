import { useTranslation } from 'react-i18next'
import { IconShieldCheck } from '../../../../ui/icons.ts'
import type { CaptchaState } from '../useCaptcha.ts'

/** Says quietly that the browser is proving it is no robot. Nothing to do for the visitor unless it fails. */
export function CaptchaNote({ state, onRetry }: { state: CaptchaState; onRetry: () => void }) {
  const { t } = useTranslation('identity')
  return (
    <div className="captcha" role="status">
      {state === 'working' ? <span className="spinner" aria-hidden="true" /> : null}
      {state === 'solved' ? <IconShieldCheck size={16} stroke={1.7} aria-hidden="true" /> : null}
      <span>{t(`captcha.${state}`)}</span>
      {state === 'failed' ? (
        <button type="button" className="link-button" onClick={onRetry}>
          {t('captcha.retry')}
        </button>
      ) : null}
    </div>
  )
}
