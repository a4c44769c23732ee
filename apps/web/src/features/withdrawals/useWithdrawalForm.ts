import type { WithdrawalTerms } from '@aval/contract'
import { useEffect, useRef } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { AttemptKey } from '../../api/idempotency.ts'
import { language } from '../../api/language.ts'
import { useMemberSignature } from '../../api/memberKey.ts'
import type { MemberProof } from '../../api/memberProof.ts'
import { useCurrentUserQuery } from '../../api/user.ts'
import { plainAmount } from '../../ui/amount.ts'
import { formats } from '../../ui/format.ts'
import { showRefusedFields } from '../../ui/refusedFields.ts'
import { useDraft } from '../../ui/useDraft.ts'
import { useFailureToast } from '../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../ui/useSingleFlight.ts'
import { useUnclearAmount } from '../../ui/useUnclearAmount.ts'
import {
  useCreateWithdrawalCodeMutation,
  useCreateWithdrawalMutation,
  useWithdrawalTermsQuery,
} from './api.ts'
import { brokenAmountRule } from './quote.ts'

/** What is typed, by the names that the server has for it. */
const EMPTY = { amount: '', wallet_address: '', used_code: '', otp: '' }
type Values = typeof EMPTY

const read = ({ amount, wallet_address }: Values) => ({
  amount: plainAmount(amount, language) ?? '',
  wallet_address,
})

type Pair = ReturnType<typeof read>

/** Says the rule that an amount breaks; true where it breaks none. */
function useAmountRule(terms: WithdrawalTerms | undefined): (typed: string) => string | true {
  const { t } = useTranslation('withdrawals')
  const askBack = useUnclearAmount()
  return (typed) => {
    const unclear = askBack(typed)
    if (unclear !== null) return unclear
    const rule = brokenAmountRule(typed, plainAmount(typed, language), terms)
    if (rule === null) return true
    const { minimum = 0, available = 0, left_today = 0 } = terms ?? {}
    return t(`rule.${rule}`, {
      minimum: formats.money(minimum),
      available: formats.money(available),
      left: formats.money(left_today),
    })
  }
}

/** Gives back what was typed before the session ended; the codes are asked for again. */
function useAmountDraft(form: UseFormReturn<Values>, amount: string): void {
  const { data: user } = useCurrentUserQuery()
  useDraft('withdrawal', user?.id, { amount }, (kept) => {
    // A member who began to type again meanwhile is not interrupted.
    if (form.getValues('amount') !== '' || document.activeElement?.getAttribute('name') === 'amount') return
    form.setValue('amount', kept['amount'] ?? '', { shouldValidate: true, shouldDirty: true })
  })
}

/**
 * `first`: the amount and the wallet, which a code is made for, are still to come. `stale`: they changed since, so another
 * code is needed.
 */
function codeStateOf(code: Pair | null, pair: Pair): 'first' | 'none' | 'sent' | 'stale' {
  if (code === null) return pair.amount === '' || pair.wallet_address === '' ? 'first' : 'none'
  return code.amount === pair.amount && code.wallet_address === pair.wallet_address ? 'sent' : 'stale'
}

/** What is sent: with the codes, or with what the passkey signed, where only that moves the member's money. Null: it was said why not. */
function useSigning(refuse: (failure: Failure) => void) {
  const { t } = useTranslation('withdrawals')
  const { data: user } = useCurrentUserQuery()
  const ask = useMemberSignature()
  const sign = async ({ amount, wallet_address: wallet }: Pair): Promise<MemberProof | null> => {
    const signed = await ask(user?.id ?? 0, { what: 'withdrawal', amount, wallet })
    if (signed.state === 'signed') return signed.proof
    if (signed.state === 'refused') refuse(signed.failure)
    else toast.error(t(signed.state === 'cancelled' ? 'passkey.cancelled' : 'passkey.failed'))
    return null
  }
  const isPasskeyOnly = user?.passkey_only === true
  const bodyOf = async (values: Values) => {
    const pair = read(values)
    if (isPasskeyOnly) {
      const passkey = await sign(pair)
      return passkey === null ? null : { ...pair, passkey }
    }
    const otp = values.otp.trim()
    return { ...pair, used_code: values.used_code.replace(/\D/g, ''), ...(otp === '' ? {} : { otp }) }
  }
  return { isPasskeyOnly, bodyOf }
}

export function useWithdrawalForm() {
  const { t } = useTranslation('withdrawals')
  const sayFailed = useFailureToast()
  const terms = useWithdrawalTermsQuery()
  const wallet = terms.data?.wallet_address ?? ''
  const form = useForm<Values>({
    defaultValues: EMPTY,
    mode: 'onChange',
  })
  const { setValue } = form
  useEffect(() => {
    if (wallet !== '') setValue('wallet_address', wallet)
  }, [wallet, setValue])
  const [makeCode, making] = useCreateWithdrawalCodeMutation()
  const [create, creating] = useCreateWithdrawalMutation()
  const attempt = useRef(new AttemptKey())
  /** A code is good for these alone. */
  const madeFor = useRef<Pair | null>(null)

  const validateAmount = useAmountRule(terms.data)
  const refuse = (failure: Failure) => {
    showRefusedFields(form, failure)
    sayFailed(failure)
  }

  const askForCode = useSingleFlight(async () => {
    if (!(await form.trigger(['amount', 'wallet_address'], { shouldFocus: true }))) return
    const pair = read(form.getValues())
    const answer = await makeCode(pair)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    madeFor.current = pair
    toast.success(answer.data)
    form.setFocus('used_code')
  })

  const { isPasskeyOnly, bodyOf } = useSigning(refuse)
  const send = useSingleFlight(async (values: Values) => {
    const body = await bodyOf(values)
    if (body === null) return
    const answer = await create({ body, idempotencyKey: attempt.current.for(body) })
    attempt.current.settle((answer.error as Failure | undefined) ?? null)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    madeFor.current = null
    form.reset({ ...EMPTY, wallet_address: wallet })
    toast.success(t('toast.done'))
  })

  const watched = form.watch()
  useAmountDraft(form, watched.amount)
  const pair = read(watched)
  return {
    form,
    terms,
    values: watched,
    validateAmount,
    askForCode,
    making: making.isLoading,
    submit: form.handleSubmit(send),
    // The passkey's own window is open a while before anything is sent.
    submitting: creating.isLoading || (isPasskeyOnly && form.formState.isSubmitting),
    codeState: codeStateOf(madeFor.current, pair),
    isPasskeyOnly,
  } as const
}
