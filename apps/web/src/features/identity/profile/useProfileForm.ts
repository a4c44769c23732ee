import type { CurrentUser, Locale } from '@aval/contract'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import type { Failure } from '../../../api/failure.ts'
import { chooseLanguage, language } from '../../../api/language.ts'
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
}

/** What the member typed into, too: news of the server alone leaves that as it is. */
const ALL = { keepDirtyValues: false }

const NOTHING = { first_name: '', last_name: '', phone_number: '', locale: '', email: '', usdt_wallet: '' }

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

/** The form, and the step with the code where one is asked for. Whatever is refused, what was typed stays. */
export function useProfileForm(user: CurrentUser) {
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

  const save = useSingleFlight(async (values: ProfileValues) => {
    const changed = changeOf(values, user)
    const answer = await send({ change: changed, code: '' })
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    if (needsCode(changed)) setPending({ change: changed, sentence: answer.data, error: null })
    else done(answer.data, changed)
  })

  const confirm = useSingleFlight(async (code: string) => {
    if (pending === null) return
    const answer = await send({ change: pending.change, code })
    if (answer.error === undefined) return done(answer.data, pending.change)
    const failure = answer.error as Failure
    if (showRefusedFields(form, failure)) setPending(null)
    else setPending({ ...pending, error: sayFailure(failure) })
  })

  const resend = useSingleFlight(async () => {
    if (pending === null) return
    const answer = await send({ change: pending.change, code: '' })
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    setPending({ ...pending, sentence: answer.data, error: null })
    toast.success(answer.data)
  })

  return {
    form,
    change,
    busy,
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
