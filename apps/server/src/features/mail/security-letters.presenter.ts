import type { Letter, Pen, Traces } from './letter.presenter.ts'
import { facts, grouped, notMe, traceFacts } from './letter.presenter.ts'
import type { TemplateName, TemplateParams } from './mail.templates.ts'

type Params<Name extends TemplateName> = TemplateParams<Name>

/** A code for what nobody but the member can have asked for. */
export function profileCode(pen: Pen, params: Params<'profile_code'>): Letter {
  const { change, newEmail, newWallet, code } = params
  return {
    subject: pen.say(`profile_code_subject_${change}`),
    title: pen.say('profile_code_title'),
    paragraphs: [pen.say(`profile_code_text_${change}`)],
    code: { value: code, label: pen.say('code_label'), terms: pen.say('code_terms_change') },
    facts: [
      ...facts([
        [pen.say('fact_new_email'), newEmail === undefined ? null : pen.quote(newEmail)],
        [pen.say('fact_new_wallet'), newWallet === undefined ? null : grouped(pen.quote(newWallet))],
      ]),
      ...traceFacts(pen, params),
    ],
    link: null,
    notMe: notMe(pen, params, 'not_me_ignore'),
  }
}

export function passwordResetCode(pen: Pen, params: Params<'password_reset_code'>): Letter {
  return {
    subject: pen.say('password_reset_code_subject'),
    title: pen.say('password_reset_code_title'),
    paragraphs: [pen.say('password_reset_code_text')],
    code: { value: params.code, label: pen.say('code_label'), terms: pen.say('code_terms') },
    facts: traceFacts(pen, params),
    link: params.link === undefined ? null : { label: pen.say('password_reset_code_link'), url: params.link },
    notMe: notMe(pen, params, 'not_me_ignore'),
  }
}

type Change =
  | 'wallet_changed'
  | 'email_changed'
  | 'password_changed'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'two_factor_released'
  | 'recovery_codes_renewed'
  | 'signed_in_new'

/** Something that guards the account is not what it was. */
function changed(
  pen: Pen,
  change: Change,
  params: Traces & { readonly coolsUntil?: Date | undefined },
  about: Letter['facts'] = [],
  words: Readonly<Record<string, string>> = {},
): Letter {
  const { coolsUntil } = params
  return {
    subject: pen.say(`${change}_subject`),
    title: pen.say(`${change}_title`),
    paragraphs: [
      pen.say(`${change}_text`, words),
      ...(coolsUntil === undefined ? [] : [pen.say('cools', { date: pen.instant(coolsUntil) })]),
    ],
    code: null,
    facts: [...about, ...traceFacts(pen, params)],
    link: null,
    notMe: notMe(pen, params, 'not_me_password'),
  }
}

export function walletChanged(pen: Pen, params: Params<'wallet_changed'>): Letter {
  const about = facts([
    [pen.say('fact_new_wallet'), grouped(pen.quote(params.wallet))],
    [pen.say('fact_previous_wallet'), grouped(pen.quote(params.previous))],
  ])
  return changed(pen, 'wallet_changed', params, about)
}

export function emailChanged(pen: Pen, params: Params<'email_changed'>): Letter {
  const previous = pen.quote(params.previous)
  const about = facts([
    [pen.say('fact_new_email'), pen.quote(params.email)],
    [pen.say('fact_previous_email'), previous],
  ])
  return changed(pen, 'email_changed', params, about, { previous })
}

export function passwordChanged(pen: Pen, params: Params<'password_changed'>): Letter {
  return changed(pen, 'password_changed', params)
}

export function twoFactorChanged(pen: Pen, params: Params<'two_factor_changed'>): Letter {
  if (params.byOperator === true) return changed(pen, 'two_factor_released', params)
  return changed(pen, params.on ? 'two_factor_on' : 'two_factor_off', params)
}

export function recoveryCodesRenewed(pen: Pen, params: Params<'recovery_codes_renewed'>): Letter {
  return changed(pen, 'recovery_codes_renewed', params)
}

export function signedInNew(pen: Pen, params: Params<'signed_in_new'>): Letter {
  return changed(pen, 'signed_in_new', params)
}

/** For whoever runs the product; its text is lines, and every line a paragraph. */
export function operatorAlert(pen: Pen, params: Params<'operator_alert'>): Letter {
  const lines = params.text.split(/\r?\n/).map((line) => pen.quote(line))
  return {
    subject: pen.quote(params.subject),
    title: pen.say('operator_alert_title'),
    paragraphs: [pen.quote(params.subject), ...lines.filter((line) => line !== '')],
    code: null,
    facts: [],
    link: null,
    notMe: null,
  }
}
