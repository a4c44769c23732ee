import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { IconMail } from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import type { ProfileChange } from '../change.ts'
import type { Pending, ProfileForm } from '../useProfileForm.ts'

const DIGITS = 7

/** Asks for the code that was e-mailed, and repeats what it is for. */
export function CodeStep({ pending, whole }: { pending: Pending; whole: ProfileForm }) {
  const { t } = useTranslation('identity/profile')
  const { busy, confirm, resend, cancel } = whole
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  // A refused code is shown selected: typing replaces it.
  useEffect(() => {
    if (pending.error !== null) field.current?.select()
  }, [pending.error])

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length === DIGITS) void confirm(code)
    else {
      setMissing(true)
      field.current?.focus()
    }
  }
  return (
    <Dialog title={t('code.title')} onClose={cancel} width={460}>
      <form className="profile-code" noValidate onSubmit={onSubmit}>
        <Notice icon={IconMail}>{pending.sentence}</Notice>
        <Novelty change={pending.change} />
        <CodeField
          ref={field}
          data-autofocus
          label={t('code.label')}
          digits={DIGITS}
          value={code}
          onChange={(typed) => {
            setCode(typed)
            setMissing(false)
          }}
          onComplete={(typed) => void confirm(typed)}
          error={missing ? t('code.missing') : (pending.error ?? undefined)}
        />
        <div className="profile-code-foot">
          <button type="button" className="link-button" disabled={busy} onClick={() => void resend()}>
            {t('code.resend')}
          </button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('code.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the code is for. */
function Novelty({ change: { email, usdt_wallet: wallet } }: { change: ProfileChange }) {
  const { t } = useTranslation('identity/profile')
  return (
    <dl className="profile-code-change">
      {email === undefined ? null : (
        <Fact name={t('code.newEmail')}>
          <Name text={email} />
        </Fact>
      )}
      {wallet === undefined ? null : (
        <Fact name={t('code.newWallet')}>
          <Address value={wallet} />
        </Fact>
      )}
    </dl>
  )
}
