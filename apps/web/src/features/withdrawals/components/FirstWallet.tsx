import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CodeField } from '../../../ui/CodeField.tsx'
import { CodeMail } from '../../../ui/CodeMail.tsx'
import { Field } from '../../../ui/Field.tsx'
import { IconMail } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import {
  APP_DIGITS,
  CODE_DIGITS,
  type FirstWalletState,
  WALLET_FIELD,
  type WalletPart,
} from '../useFirstWallet.ts'
import { REVIEW_BUTTON } from '../useWithdrawalForm.ts'

interface FirstWalletProps {
  wallet: FirstWalletState
}

/** Where a withdrawal waits for a wallet: its address, the codes that it takes, and the button for both. */
export function FirstWallet({ wallet }: FirstWalletProps) {
  const { t } = useTranslation('withdrawals')
  const { sentence, busy, isPasskeyOnly } = wallet
  const byCode = sentence === null ? 'firstWallet.register' : 'firstWallet.confirm'
  return (
    <>
      {sentence === null ? <AddressField wallet={wallet} /> : <Codes wallet={wallet} sentence={sentence} />}
      <Button type="submit" id={REVIEW_BUTTON} kind="primary" size="large" wide busy={busy}>
        {t(isPasskeyOnly ? 'firstWallet.byPasskey' : byCode)}
      </Button>
    </>
  )
}

const faultOf = ({ fault }: FirstWalletState, part: WalletPart) =>
  fault?.part === part ? fault.text : undefined

function AddressField({ wallet }: FirstWalletProps) {
  const { t } = useTranslation('withdrawals')
  const { typed, address, type, isPasskeyOnly } = wallet
  return (
    <Field
      name={WALLET_FIELD.address}
      label={t('firstWallet.address')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={60}
      placeholder="T…"
      value={typed.address}
      onChange={(event) => type('address', event.currentTarget.value)}
      error={faultOf(wallet, 'address')}
      hint={
        address === '' ? (
          t(isPasskeyOnly ? 'firstWallet.hintPasskey' : 'firstWallet.hint')
        ) : (
          <Address value={address} />
        )
      }
    />
  )
}

function Codes({ wallet, sentence }: FirstWalletProps & { sentence: string }) {
  const { t } = useTranslation('withdrawals')
  const { typed, address, type, complete, withOtp, busy, resend, change } = wallet
  return (
    <>
      <Notice icon={IconMail}>{sentence}</Notice>
      <div className="stack-6">
        <p className="muted small">{t('firstWallet.address')}</p>
        <Address value={address} />
      </div>
      <CodeField
        name={WALLET_FIELD.code}
        label={t('firstWallet.code')}
        digits={CODE_DIGITS}
        value={typed.code}
        onChange={(text) => type('code', text)}
        onComplete={(text) => complete('code', text)}
        error={faultOf(wallet, 'code')}
      />
      <CodeMail say={(count) => t('form.mailWaits', { count })} />
      {withOtp ? (
        <CodeField
          name={WALLET_FIELD.otp}
          label={t('firstWallet.otp')}
          autoComplete="off"
          digits={APP_DIGITS}
          value={typed.otp}
          onChange={(text) => type('otp', text)}
          onComplete={(text) => complete('otp', text)}
          error={faultOf(wallet, 'otp')}
        />
      ) : null}
      <div className="row-16">
        <button
          type="button"
          className="link-button small withdrawal-link"
          disabled={busy}
          onClick={() => void resend()}
        >
          {t('firstWallet.resend')}
        </button>
        <button type="button" className="link-button small withdrawal-link" disabled={busy} onClick={change}>
          {t('firstWallet.change')}
        </button>
      </div>
    </>
  )
}
