/** What the profile's form holds, what of it is new, and what it checks before it asks the server. */

import type { CurrentUser } from '@aval/contract'
import { spelt } from '@aval/contract/spelt'
import { plainPhone, plainTyped, typedTogether } from '@aval/contract/typed'
import { looksLikeWallet } from '../../../ui/wallet.ts'
import { checkEmail as checkAnyEmail } from '../registration/registerRules.ts'

/** The fields as the wire calls them, so that what the server says of one is shown at it. */
export const FIELDS = [
  'first_name',
  'last_name',
  'phone_number',
  'locale',
  'time_zone',
  'region',
  'email',
  'usdt_wallet',
] as const

export type ProfileValues = Record<(typeof FIELDS)[number], string>

export type ProfileChange = Partial<ProfileValues>

export function valuesOf(user: CurrentUser): ProfileValues {
  const { first_name, last_name, phone_number, locale, email, usdt_wallet } = user
  const [time_zone, region] = [user.time_zone ?? '', user.region ?? '']
  return { first_name, last_name, phone_number, locale, time_zone, region, email, usdt_wallet }
}

function plain(values: ProfileValues): ProfileValues {
  return {
    first_name: spelt(values.first_name),
    last_name: spelt(values.last_name),
    phone_number: plainPhone(values.phone_number),
    locale: values.locale,
    time_zone: values.time_zone,
    region: values.region,
    email: plainTyped(values.email),
    usdt_wallet: typedTogether(values.usdt_wallet),
  }
}

export function changeOf(values: ProfileValues, user: CurrentUser): ProfileChange {
  const [typed, known] = [plain(values), valuesOf(user)]
  return Object.fromEntries(
    FIELDS.flatMap((name) => (typed[name] === known[name] ? [] : [[name, typed[name]]])),
  )
}

/** Whether the server asks for a code from the e-mail. */
export const needsCode = (change: ProfileChange) =>
  change.email !== undefined || change.usdt_wallet !== undefined

/** Names of the messages under `profile:rule`. */
export type Rule = 'name' | 'phone' | 'email' | 'emailMissing' | 'wallet'

export function checkEmail(typed: string): Rule | null {
  const rule = checkAnyEmail(typed)
  return rule === 'required' ? 'emailMissing' : rule
}

/** Only its looks; whether the checksum is right is for the server to say. None is fine where there was none. */
export function checkWallet(typed: string, known: string): Rule | null {
  const wallet = typedTogether(typed)
  return wallet === known || looksLikeWallet(wallet) ? null : 'wallet'
}
