import type { Withdrawal, WithdrawalTerms } from '@aval/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type UseFormReturn, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { AttemptKey } from '../../api/idempotency.ts'
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
import {
  type CodeMade,
  codeStateOf,
  EMPTY,
  firstOf,
  type Name,
  type Pair,
  SECTION_OF,
  type Section,
  type Values,
} from './sections.ts'
import { focusWallet, useFirstWallet } from './useFirstWallet.ts'

const read = ({ amount, wallet_address }: Values): Pair => ({
  amount: plainAmount(amount) ?? '',
  wallet_address,
})

/** Says the rule that an amount breaks; true where it breaks none. */
function useAmountRule(terms: WithdrawalTerms | undefined): (typed: string) => string | true {
  const { t } = useTranslation('withdrawals')
  const askBack = useUnclearAmount()
  return (typed) => {
    const unclear = askBack(typed)
    if (unclear !== null) return unclear
    const rule = brokenAmountRule(typed, plainAmount(typed), terms)
    if (rule === null) return true
    const { minimum = 0, available = 0, left_today = 0 } = terms ?? {}
    return t(`rule.${rule}`, {
      minimum: formats.money(minimum),
      available: formats.money(available),
      left: formats.money(left_today),
    })
  }
}

/** Gives back what was typed before the session ended, or a wallet was registered; the codes are asked for again. */
function useAmountDraft(
  form: UseFormReturn<Values>,
  amount: string,
  open: Section,
  goOn: (section: Section) => void,
): void {
  const { data: user } = useCurrentUserQuery()
  useDraft('withdrawal', user?.id, { amount, review: open === 'amount' ? '' : 'reached' }, (kept) => {
    // A member who began to type again meanwhile is not interrupted.
    if (form.getValues('amount') !== '' || document.activeElement?.getAttribute('name') === 'amount') return
    form.setValue('amount', kept['amount'] ?? '', { shouldValidate: true, shouldDirty: true })
    if (kept['review'] && kept['amount']) goOn('review')
  })
}

/** Which section is open, and how the page gets to another, or to a field in it. */
function useSections(form: UseFormReturn<Values>) {
  const [open, setOpen] = useState<Section>('amount')
  /** Opened at once: what is still hidden takes no focus. */
  const openNow = (section: Section) => flushSync(() => setOpen(section))
  const show = (name: Name) => {
    openNow(SECTION_OF[name])
    form.setFocus(name)
  }
  return {
    open,
    setOpen,
    show,
    /** Opens a section where its work begins. */
    begin: (section: Section) => {
      if (section === 'amount') return show('amount')
      if (section === 'confirm') return show('used_code')
      openNow('review')
      if (!focusWallet('address')) document.getElementById(REVIEW_BUTTON)?.focus()
    },
    /** Opens the first of these fields that breaks its rule, and says so. */
    holds: async (...names: Name[]): Promise<boolean> => {
      for (const name of names)
        if (!(await form.trigger(name))) {
          show(name)
          return false
        }
      return true
    },
  }
}

/** The code that was asked for, and the press that asks for one. */
function useCode(form: UseFormReturn<Values>, refuse: (failure: Failure) => void) {
  const [makeCode, { isLoading }] = useCreateWithdrawalCodeMutation()
  const [madeFor, setMadeFor] = useState<CodeMade | null>(null)
  /** @param pair null: before the amount is known */
  const ask = useSingleFlight(async (pair: Pair | null, then: () => void) => {
    const answer = await makeCode(pair)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    setMadeFor(pair ?? { amount: null, wallet_address: form.getValues('wallet_address') })
    toast.success(answer.data)
    then()
  })
  return { madeFor, setMadeFor, ask, making: isLoading }
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

/** Sends a request under the key of its attempt. */
function useSending(refuse: (failure: Failure) => void, done: (sent: Withdrawal) => void) {
  const [create, { isLoading }] = useCreateWithdrawalMutation()
  const attempt = useRef(new AttemptKey())
  const { isPasskeyOnly, bodyOf } = useSigning(refuse)
  const send = useSingleFlight(async (values: Values) => {
    const body = await bodyOf(values)
    if (body === null) return
    const answer = await create({ body, idempotencyKey: attempt.current.for(body) })
    attempt.current.settle((answer.error as Failure | undefined) ?? null)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    done(answer.data)
  })
  return { isPasskeyOnly, send, sending: isLoading }
}

/** Chooses the registered wallet. One that is registered on the way lets the review go on. */
function useWallet({ setValue }: UseFormReturn<Values>, wallet: string, isPasskeyOnly: boolean) {
  const isNew = useRef(false)
  useEffect(() => {
    if (wallet === '') return
    setValue('wallet_address', wallet, { shouldValidate: true })
    if (isNew.current) document.getElementById(REVIEW_BUTTON)?.focus()
    isNew.current = false
  }, [wallet, setValue])
  return useFirstWallet(isPasskeyOnly, () => {
    isNew.current = true
  })
}

/** Starts an action at once, or where what it needs is still on its way, once that is there. */
function useOnce<Name extends string>(isThere: boolean, actions: Record<Name, () => unknown>) {
  const [wanted, setWanted] = useState<Name | null>(null)
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    if (wanted === null || !isThere) return
    setWanted(null)
    void latest.current[wanted]()
  }, [wanted, isThere])
  return { waits: wanted !== null, start: setWanted as (name: Name) => void }
}

/** Of the button that the review ends with. */
export const REVIEW_BUTTON = 'withdrawal-go-on'

interface Pressing {
  form: UseFormReturn<Values>
  sections: ReturnType<typeof useSections>
  /** Whether the terms are there. */
  isThere: boolean
  code: ReturnType<typeof useCode>
  /** Whether there is a code that is good for what is typed. */
  hasCode: boolean
  isPasskeyOnly: boolean
  /** Null where there is a wallet. */
  registerWallet: (() => Promise<void>) | null
  send: (values: Values) => Promise<void>
}

/** What a press, or Enter, does in the section that is open. */
function usePresses(pressing: Pressing) {
  const { form, isThere, code, hasCode, isPasskeyOnly, registerWallet, send } = pressing
  const { open, begin, show, holds } = pressing.sections
  const toReview = async () => {
    if (await holds('amount')) begin('review')
  }
  const toConfirm = async () => {
    if (await holds('amount', 'wallet_address')) begin('confirm')
  }
  const askForCode = async () => {
    if (await holds('amount', 'wallet_address'))
      await code.ask(read(form.getValues()), () => begin('confirm'))
  }
  const sendAll = form.handleSubmit(send, (errors) => show(firstOf(Object.keys(errors)) ?? 'amount'))
  const review = () =>
    registerWallet !== null
      ? registerWallet()
      : isPasskeyOnly
        ? sendAll()
        : hasCode
          ? toConfirm()
          : askForCode()
  /** Of a code that this page did not ask for: it came to another device, or before the page was loaded again. */
  const haveCode = () => {
    code.setMadeFor(null)
    return toConfirm()
  }
  // The terms say which wallet there is; a page that was loaded again may begin with the review.
  const { waits, start } = useOnce(isThere, { amount: toReview, review, confirm: sendAll, haveCode })
  return {
    submit: (event: FormEvent) => {
      event.preventDefault()
      start(open)
    },
    /** Something was pressed before the terms were there. */
    waiting: waits,
    askForCode,
    /** For an amount that is still to come. */
    askFirst: () => code.ask(null, () => show('amount')),
    haveCode: () => start('haveCode'),
  }
}

/** @param onSent called with the new withdrawal once the form is empty again */
export function useWithdrawalForm(onSent: (sent: Withdrawal) => void) {
  const { t } = useTranslation('withdrawals')
  const sayFailed = useFailureToast()
  const terms = useWithdrawalTermsQuery()
  const wallet = terms.data?.wallet_address ?? ''
  const form = useForm<Values>({ defaultValues: EMPTY, mode: 'onChange', shouldFocusError: false })
  const sections = useSections(form)
  const { open, setOpen, show } = sections

  const refuse = (failure: Failure) => {
    const field = firstOf((failure.fields ?? []).map(({ path }) => path))
    if (field !== undefined) show(field)
    showRefusedFields(form, failure)
    sayFailed(failure)
  }
  const code = useCode(form, refuse)
  const { isPasskeyOnly, send, sending } = useSending(refuse, (sent) => {
    code.setMadeFor(null)
    form.reset({ ...EMPTY, wallet_address: wallet })
    setOpen('amount')
    toast.success(t('toast.done'))
    onSent(sent)
  })

  const firstWallet = useWallet(form, wallet, isPasskeyOnly)
  const watched = form.watch()
  useAmountDraft(form, watched.amount, open, setOpen)
  const codeState = codeStateOf(code.madeFor, read(watched))
  const isStale = codeState === 'stale'
  useEffect(() => {
    // Another wallet was registered meanwhile.
    if (isStale) setOpen((now) => (now === 'confirm' ? 'review' : now))
  }, [isStale, setOpen])

  const isWalletMissing = terms.data !== undefined && wallet === ''
  const presses = usePresses({
    form,
    sections,
    isThere: terms.data !== undefined,
    code,
    hasCode: codeState === 'sent',
    isPasskeyOnly,
    registerWallet: isWalletMissing ? firstWallet.goOn : null,
    send,
  })
  return {
    form,
    terms,
    values: watched,
    validateAmount: useAmountRule(terms.data),
    open,
    begin: sections.begin,
    ...presses,
    making: code.making,
    // The passkey's own window is open a while before anything is sent.
    submitting: sending || (isPasskeyOnly && form.formState.isSubmitting),
    codeState,
    isPasskeyOnly,
    /** Null where there is a wallet. */
    firstWallet: isWalletMissing ? firstWallet : null,
  } as const
}

export type WithdrawalFormState = ReturnType<typeof useWithdrawalForm>
