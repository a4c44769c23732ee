import { useTranslation } from 'react-i18next'
import { strengthOf } from '../strength.ts'

const WORDS = ['rule', 'weak', 'fair', 'good', 'strong'] as const

export function StrengthMeter({ password, known }: { password: string; known: string[] }) {
  const { t } = useTranslation('auth')
  const level = strengthOf(password, known)
  if (level === 0) return <span>{t('strength.rule')}</span>
  return (
    <div className="strength" data-level={level}>
      <span className="strength-bars" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} data-on={bar <= level} />
        ))}
      </span>
      <span className="strength-word" role="status">
        {t(`strength.${WORDS[level]}`)}
      </span>
    </div>
  )
}
