import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { IconCheck } from '../../../../ui/icons.ts'
import {
  checkPassword,
  checkRepeat,
  isLongEnough,
  MOST_TYPED,
  type PasswordRule,
  type Strength,
} from '../newPassword.ts'
import './newPassword.css'
import { PasswordField } from '../../../../ui/PasswordField.tsx'
import { useStrength } from '../useStrength.ts'

interface NewPasswordFieldsProps {
  labels: { password: string; repeat: string }
  /** What a guesser tries first: the username, the e-mail. */
  known: readonly string[]
}

/** A new password, typed twice, of the form around it; what it has to be is ticked off while one types. */
export function NewPasswordFields({ labels, known }: NewPasswordFieldsProps) {
  const { t } = useTranslation('identity/new-password')
  const say = usePasswordRuleText()
  const form = useFormContext<{ password: string; password2: string }>()
  const { errors } = form.formState
  const [password, password2] = form.watch(['password', 'password2'])
  const [used, setUsed] = useState(false)
  const strength = useStrength(password, known, used)
  const isSame = password2 !== '' && password2 === password
  return (
    <>
      <PasswordField
        label={labels.password}
        autoComplete="new-password"
        error={errors.password?.message}
        maxLength={MOST_TYPED}
        onFocus={() => setUsed(true)}
        hint={
          <div className="stack-8">
            <div className="password-hints row-16 row-apart">
              <Rule met={isLongEnough(password)} text={t('length')} />
              {strength === null ? null : <Meter level={strength.level} />}
            </div>
            <Said strength={strength} />
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
        maxLength={MOST_TYPED}
        error={errors.password2?.message}
        hint={<Rule met={isSame} text={t(isSame ? 'same' : 'repeat')} />}
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
      <span>{text}</span>
    </span>
  )
}

/** Nothing that a screen reader would read: the word beside it says the same. */
function Meter({ level }: { level: number }) {
  return (
    <span className="strength-bars" data-level={level} aria-hidden="true">
      {[1, 2, 3, 4].map((bar) => (
        <span key={bar} data-on={bar <= level} />
      ))}
    </span>
  )
}

const WORDS = ['weak', 'weak', 'fair', 'good', 'strong'] as const

/** In words, and what to do about it. It stands there empty, so that a screen reader says what comes into it. */
function Said({ strength }: { strength: Strength | null }) {
  const { t } = useTranslation('identity/new-password')
  const word = WORDS[strength?.level ?? 0] ?? 'weak'
  const advice = strength?.advice ?? null
  return (
    <p className="strength-said" role="status">
      {strength === null ? null : <strong>{t(`strength.${word}`)}</strong>}
      {advice === null ? null : <span>{` ${t(`advice.${advice}`)}`}</span>}
    </p>
  )
}

/** A rule's name as the message for the form library: `true` for none. */
export function usePasswordRuleText(): (rule: PasswordRule | null) => string | true {
  const { t } = useTranslation('identity/new-password')
  return (rule) => (rule === null ? true : t(`rule.${rule}`))
}
