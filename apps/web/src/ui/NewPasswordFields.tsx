import type { UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { IconCheck } from './icons.ts'
import { isLongEnough, type PasswordRule, strengthOf } from './newPassword.ts'
import './newPassword.css'
import { PasswordField } from './PasswordField.tsx'

interface NewPasswordFieldsProps {
  labels: { password: string; repeat: string }
  password: UseFormRegisterReturn
  repeat: UseFormRegisterReturn
  typed: { password: string; repeat: string }
  errors: { password: string | undefined; repeat: string | undefined }
  /** What a guesser tries first: the username, the e-mail. */
  known: readonly string[]
}

/** A new password, typed twice; what it has to be is ticked off while one types. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { labels, password, repeat, typed, errors, known } = props
  const { t } = useTranslation('ui')
  const isSame = typed.repeat !== '' && typed.repeat === typed.password
  return (
    <>
      <PasswordField
        label={labels.password}
        autoComplete="new-password"
        error={errors.password}
        hint={
          <div className="password-hints row-16 row-apart">
            <Rule met={isLongEnough(typed.password)} text={t('password.length')} />
            {typed.password === '' ? null : <Strength password={typed.password} known={known} />}
          </div>
        }
        {...password}
      />
      <PasswordField
        label={labels.repeat}
        autoComplete="new-password"
        error={errors.repeat}
        hint={<Rule met={isSame} text={t(isSame ? 'password.same' : 'password.repeat')} />}
        {...repeat}
      />
    </>
  )
}

function Rule({ met, text }: { met: boolean; text: string }) {
  return (
    <span className="password-rule" data-met={met}>
      <span className="password-tick centred" aria-hidden="true">
        {met ? <IconCheck size={12} stroke={2.4} /> : null}
      </span>
      {text}
    </span>
  )
}

const WORDS = ['weak', 'weak', 'fair', 'good', 'strong'] as const

function Strength({ password, known }: { password: string; known: readonly string[] }) {
  const { t } = useTranslation('ui')
  const level = strengthOf(password, known)
  const word = WORDS[level]
  return (
    <span className="strength" data-level={level}>
      <span className="strength-bars" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} data-on={bar <= level} />
        ))}
      </span>
      <span className="strength-word" role="status">
        {t(`password.strength.${word}`)}
      </span>
    </span>
  )
}

/** A rule's name as the message for the form library: `true` for none. */
export function usePasswordRuleText(): (rule: PasswordRule | null) => string | true {
  const { t } = useTranslation('ui')
  return (rule) => (rule === null ? true : t(`password.rule.${rule}`))
}
