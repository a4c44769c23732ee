import { typedTogether } from '@aval/contract/typed'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { useMemberSignature } from '../../api/memberKey.ts'
import { useCurrentUserQuery } from '../../api/user.ts'
import { useChangeWalletMutation, useRegisterWalletMutation } from '../../api/wallet.ts'
import { useFailureText } from '../../ui/useFailureText.ts'
import { useFailureToast } from '../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../ui/useSingleFlight.ts'
import { looksLikeWallet } from '../../ui/wallet.ts'

export const CODE_DIGITS = 7
export const APP_DIGITS = 6

const EMPTY = { address: '', code: '', otp: '' }
export type WalletPart = keyof typeof EMPTY

/** Names of the fields. */
export const WALLET_FIELD: Readonly<Record<WalletPart, string>> = {
  address: 'new-wallet',
  code: 'new-wallet-code',
  otp: 'new-wallet-otp',
}

/** @returns whether it is there */
export function focusWallet(part: WalletPart): boolean {
  const [field] = document.getElementsByName(WALLET_FIELD[part])
  field?.focus()
  return field !== undefined
}

/** Which of what was typed a refusal is about. */
function partOf({ code, fields = [] }: Failure): WalletPart | null {
  if (code === 'otp_required' || code === 'otp_invalid') return 'otp'
  const path = fields.find((field) => field.path === 'usdt_wallet' || field.path === 'secret_code')?.path
  return path === undefined ? null : path === 'usdt_wallet' ? 'address' : 'code'
}

/** Changes the wallet by what the passkey signs. Null: it was said why not. */
function useByPasskey(refuse: (failure: Failure) => void) {
  const { t } = useTranslation('withdrawals')
  const { data: user } = useCurrentUserQuery()
  const ask = useMemberSignature()
  const [change] = useChangeWalletMutation()
  return async (wallet: string): Promise<string | null> => {
    const signed = await ask(user?.id ?? 0, { what: 'wallet', wallet })
    if (signed.state === 'refused') refuse(signed.failure)
    else if (signed.state !== 'signed')
      toast.error(t(signed.state === 'cancelled' ? 'firstWallet.cancelled' : 'firstWallet.failed'))
    if (signed.state !== 'signed') return null
    const answer = await change({ usdt_wallet: wallet, passkey: signed.proof })
    if (answer.error === undefined) return t('firstWallet.saved')
    refuse(answer.error as Failure)
    return null
  }
}

/** What is typed, and what is said of it. */
function useParts() {
  const sayFailed = useFailureToast()
  const sayFailure = useFailureText()
  const [typed, setTyped] = useState(EMPTY)
  const [fault, setFault] = useState<{ part: WalletPart; text: string } | null>(null)
  const point = (part: WalletPart, text: string) => {
    flushSync(() => setFault({ part, text }))
    focusWallet(part)
  }
  const refuse = (failure: Failure) => {
    const part = partOf(failure)
    if (part === null) return sayFailed(failure)
    point(part, failure.fields?.[0]?.detail ?? sayFailure(failure))
  }
  const type = (part: WalletPart, text: string) => {
    setTyped((before) => ({ ...before, [part]: text }))
    setFault(null)
  }
  return { typed, setTyped, fault, setFault, point, refuse, type }
}

/**
 * Registers the first wallet on the way to a withdrawal, with the proofs that the profile asks for.
 * @param onRegistered called once it is; the terms know of it a moment later
 */
export function useFirstWallet(isPasskeyOnly: boolean, onRegistered: () => void) {
  const { t } = useTranslation('withdrawals')
  const { data: user } = useCurrentUserQuery()
  const withOtp = user?.two_factor === true
  const [register] = useRegisterWalletMutation()
  const [busy, setBusy] = useState(false)
  /** Where the code went, in the server's words; null before it was sent. */
  const [sentence, setSentence] = useState<string | null>(null)
  const { typed, setTyped, fault, setFault, point, refuse, type } = useParts()
  const byPasskey = useByPasskey(refuse)
  const address = typedTogether(typed.address)

  const done = (said: string) => {
    setTyped(EMPTY)
    setSentence(null)
    toast.success(said)
    onRegistered()
  }
  const sendCode = async () => {
    const answer = await register({ usdt_wallet: address })
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    flushSync(() => setSentence(answer.data))
    focusWallet('code')
  }
  const confirm = async ({ code, otp }: typeof EMPTY) => {
    if (code.length !== CODE_DIGITS) return point('code', t('firstWallet.codeMissing'))
    if (withOtp && otp.length !== APP_DIGITS) return point('otp', t('firstWallet.otpMissing'))
    const answer = await register({ usdt_wallet: address, secret_code: code, ...(withOtp ? { otp } : {}) })
    if (answer.error === undefined) done(answer.data)
    else refuse(answer.error as Failure)
  }
  const go = async (now: typeof EMPTY) => {
    if (address === '') return point('address', t('rule.walletMissing'))
    if (!looksLikeWallet(address)) return point('address', t('firstWallet.looks'))
    if (sentence !== null) return confirm(now)
    if (!isPasskeyOnly) return sendCode()
    const said = await byPasskey(address)
    if (said !== null) done(said)
  }
  const run = useSingleFlight(async (action: () => Promise<unknown>) => {
    setBusy(true)
    await action().finally(() => setBusy(false))
  })
  return {
    typed,
    address,
    type,
    fault,
    sentence,
    withOtp,
    busy,
    isPasskeyOnly,
    goOn: () => run(() => go(typed)),
    /** The last digit of both codes sends them; that of the first leads to the other. */
    complete: (part: 'code' | 'otp', text: string) => {
      const now = { ...typed, [part]: text }
      if (now.code.length !== CODE_DIGITS) focusWallet('code')
      else if (withOtp && now.otp.length !== APP_DIGITS) focusWallet('otp')
      else void run(() => go(now))
    },
    resend: () => run(sendCode),
    /** Back to the address. */
    change: () => {
      setSentence(null)
      setFault(null)
      setTyped({ ...EMPTY, address: typed.address })
    },
  } as const
}

export type FirstWalletState = ReturnType<typeof useFirstWallet>
