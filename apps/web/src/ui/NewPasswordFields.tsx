import { useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { IconCheck } from './icons.ts'
import { checkPassword, checkRepeat, isLongEnough, type PasswordRule, strengthOf } from './newPassword.ts'
import './newPassword.css'
import { PasswordField } from './PasswordField.tsx'

interface NewPasswordFieldsProps {
  labels: { password: string; repeat: string }
  /** What a guesser tries first: the username, the e-mail. */
  known: readonly string[]
}

/** A new password, typed twice, of the form around it; what it has to be is ticked off while one types. */
export function NewPasswordFields({ labels, known }: NewPasswordFieldsProps) {
  const { t } = useTranslation('ui')
  const say = usePasswordRuleText()
  const form = useFormContext<{ password: string; password2: string }>()
  const { errors } = form.formState
  const [password, password2] = form.watch(['password', 'password2'])
  const isSame = password2 !== '' && password2 === password
  return (
    <>
      <PasswordField
        label={labels.password}
        autoComplete="new-password"
        error={errors.password?.message}
        hint={
          <div className="password-hints row-16 row-apart">
            <Rule met={isLongEnough(password)} text={t('password.length')} />
            {password === '' ? null : <Strength password={password} known={known} />}
          </div>
        }
        {...form.register('password', {
          validate: (typed) => say(checkPassword(typed)),
          // Said again where it was typed before, and not before it was typed.
          onChange: () => form.getValues('password2') !== '' && form.trigger('password2'),
        })}
      />
      <PasswordField
        label={labels.repeat}
        autoComplete="new-password"
        error={errors.password2?.message}
        hint={<Rule met={isSame} text={t(isSame ? 'password.same' : 'password.repeat')} />}
        {...form.register('password2', { validate: (typed, all) => say(checkRepeat(typed, all.password)) })}
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
