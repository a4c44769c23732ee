import type { CurrentUser, Locale } from '@aval/contract'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { chooseLanguage, language } from '../../../api/language.ts'
import { useMemberSignature } from '../../../api/memberKey.ts'
import { useChangeWalletMutation } from '../../../api/wallet.ts'
import { showRefusedFields } from '../../../ui/refusedFields.ts'
import { useDraft } from '../../../ui/useDraft.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useChangeProfileMutation } from './api.ts'
import { changeOf, FIELDS, needsCode, type ProfileChange, type ProfileValues, valuesOf } from './change.ts'

/** A change that waits for the code from the e-mail. */
export interface Pending {
  change: ProfileChange
  /** The server's sentence: where the code went. */
  sentence: string
  /** What is wrong with the code; null before the first try. */
  error: string | null
  /** The same of the app's code. */
  otpError: string | null
}

const isOfOtp = ({ code }: Failure) => code === 'otp_required' || code === 'otp_invalid'

/** What the member typed into, too: news of the server alone leaves that as it is. */
const ALL = { keepDirtyValues: false }

const NOTHING = {
  first_name: '',
  last_name: '',
  phone_number: '',
  locale: '',
  time_zone: '',
  region: '',
  email: '',
  usdt_wallet: '',
}

export type ProfileForm = ReturnType<typeof useProfileForm>

function useFields(user: CurrentUser) {
  const sayFailed = useFailureToast()
  const form = useForm<ProfileValues>({
    values: valuesOf(user),
    resetOptions: { keepDirtyValues: true },
    mode: 'onTouched',
  })
  const change = changeOf(form.watch(), user)
  useDraft('profile', user.id, { ...NOTHING, ...change }, (kept) => {
    for (const name of FIELDS) if (kept[name]) form.setValue(name, kept[name], { shouldDirty: true })
  })

  const refuse = (failure: Failure) => {
    if (!showRefusedFields(form, failure)) sayFailed(failure)
  }
  return { form, change, refuse }
}

/** Changes the wallet by the passkey that alone moves the member's money. True where it was changed; otherwise it was said why not. */
function useWalletByPasskey(user: CurrentUser, refuse: (failure: Failure) => void) {
  const { t } = useTranslation('identity/profile')
  const ask = useMemberSignature()
  const [send] = useChangeWalletMutation()
  return async (usdt_wallet: string): Promise<boolean> => {
    const signed = await ask(user.id, { what: 'wallet', wallet: usdt_wallet })
    if (signed.state === 'refused') refuse(signed.failure)
    else if (signed.state !== 'signed')
      toast.error(t(signed.state === 'cancelled' ? 'passkey.cancelled' : 'passkey.failed'))
    if (signed.state !== 'signed') return false
    const answer = await send({ usdt_wallet, passkey: signed.proof })
    if (answer.error !== undefined) refuse(answer.error as Failure)
    return answer.error === undefined
  }
}

/** The form, and the step with the code where one is asked for. Whatever is refused, what was typed stays. */
export function useProfileForm(user: CurrentUser) {
  const { t } = useTranslation('identity/profile')
  const sayFailure = useFailureText()
  const sayFailed = useFailureToast()
  const [send, { isLoading: busy }] = useChangeProfileMutation()
  const [pending, setPending] = useState<Pending | null>(null)
  const { form, change, refuse } = useFields(user)

  const done = (sentence: string, changed: ProfileChange) => {
    setPending(null)
    form.reset({ ...valuesOf(user), ...changed }, ALL)
    toast.success(sentence)
    // What follows from another e-mail or wallet stands at the top of the page.
    if (needsCode(changed)) window.scrollTo({ top: 0 })
    const next = changed.locale as Locale | undefined
    if (next !== undefined && next !== language) chooseLanguage(next)
  }

  const changeWallet = useWalletByPasskey(user, refuse)
  const save = useSingleFlight(async (values: ProfileValues) => {
    const { usdt_wallet: wallet, ...others } = changeOf(values, user)
    const isSigned = wallet !== undefined && user.passkey_only
    if (isSigned && !(await changeWallet(wallet))) return
    if (isSigned && Object.keys(others).length === 0) return done(t('passkey.saved'), { usdt_wallet: wallet })
    const changed = isSigned || wallet === undefined ? others : { ...others, usdt_wallet: wallet }
    const answer = await send({ change: changed, code: '' })
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    if (needsCode(changed))
      setPending({ change: changed, sentence: answer.data, error: null, otpError: null })
    else done(answer.data, changed)
  })

  const confirm = useSingleFlight(async (code: string, otp: string) => {
    if (pending === null) return
    const answer = await send({ change: pending.change, code, otp })
    if (answer.error === undefined) return done(answer.data, pending.change)
    const failure = answer.error as Failure
    if (showRefusedFields(form, failure)) setPending(null)
    else if (isOfOtp(failure)) setPending({ ...pending, error: null, otpError: sayFailure(failure) })
    else setPending({ ...pending, error: sayFailure(failure), otpError: null })
  })

  const resend = useSingleFlight(async () => {
    if (pending === null) return
    const answer = await send({ change: pending.change, code: '' })
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    setPending({ ...pending, sentence: answer.data, error: null, otpError: null })
    toast.success(answer.data)
  })

  return {
    form,
    change,
    // The passkey's own window is open a while before anything is sent.
    busy: busy || form.formState.isSubmitting,
    pending,
    submit: form.handleSubmit(save),
    /** Back to what is saved. */
    discard: () => form.reset(valuesOf(user), ALL),
    confirm,
    resend,
    cancel: () => {
      if (!busy) setPending(null)
    },
  }
}
