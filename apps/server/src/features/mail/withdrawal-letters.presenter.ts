import type { Fact, Letter, Pen, TextKey } from './letter.presenter.ts'
import { facts, grouped, notMe, traceFacts } from './letter.presenter.ts'
import type { TemplateName, TemplateParams } from './mail.templates.ts'

type Params<Name extends TemplateName> = TemplateParams<Name>

function moneyFacts(pen: Pen, params: Partial<Params<'withdrawal_completed'>>): Fact[] {
  const { number, amount, fee, arrives, wallet } = params
  return facts([
    [pen.say('fact_number'), number === undefined ? null : pen.quote(number)],
    [pen.say('fact_amount'), amount === undefined ? null : pen.amount(amount)],
    [pen.say('fact_fee'), fee === undefined ? null : pen.amount(fee)],
    [pen.say('fact_arrives'), arrives === undefined ? null : pen.amount(arrives)],
    [pen.say('fact_wallet'), wallet === undefined ? null : grouped(pen.quote(wallet))],
  ])
}

export function withdrawalCode(pen: Pen, params: Params<'withdrawal_code'>): Letter {
  const { amount, wallet, fee, arrives, code } = params
  const isPair = amount !== undefined && wallet !== undefined
  return {
    subject:
      amount === undefined
        ? pen.say('withdrawal_code_subject')
        : pen.say('withdrawal_code_subject_amount', { amount: pen.amount(amount) }),
    title: pen.say('withdrawal_code_title'),
    paragraphs: [
      pen.say('withdrawal_code_text'),
      ...(wallet === undefined ? [] : [pen.say('withdrawal_code_check')]),
    ],
    code: {
      value: code,
      label: pen.say('code_label'),
      terms: pen.say(isPair ? 'code_terms_pair' : 'code_terms'),
    },
    facts: [
      ...moneyFacts(pen, {
        ...(amount !== undefined && { amount }),
        ...(fee !== undefined && { fee }),
        ...(arrives !== undefined && { arrives }),
        ...(wallet !== undefined && { wallet }),
      }),
      ...traceFacts(pen, params),
    ],
    link: null,
    notMe: notMe(pen, params, 'not_me_ignore'),
  }
}

export function withdrawalRequested(pen: Pen, params: Params<'withdrawal_requested'>): Letter {
  const [amount, arrives] = [pen.amount(params.amount), pen.amount(params.arrives)]
  return {
    subject: pen.say('withdrawal_requested_subject', { amount }),
    title: pen.say('withdrawal_requested_title'),
    paragraphs: [
      pen.say('withdrawal_requested_text', { amount, arrives }),
      pen.say('withdrawal_requested_cancel'),
    ],
    code: null,
    facts: [...moneyFacts(pen, params), ...traceFacts(pen, params)],
    link: null,
    notMe: notMe(pen, params, 'not_me_password'),
  }
}

export function withdrawalCompleted(pen: Pen, params: Params<'withdrawal_completed'>): Letter {
  const [amount, arrives] = [pen.amount(params.amount), pen.amount(params.arrives)]
  const { link, txid, at } = params
  return {
    subject: pen.say('withdrawal_completed_subject', { amount }),
    title: pen.say('withdrawal_completed_title'),
    paragraphs: [pen.say('withdrawal_completed_text', { arrives })],
    code: null,
    facts: [
      ...moneyFacts(pen, params),
      ...facts([
        [pen.say('fact_at'), pen.instant(at)],
        [pen.say('fact_txid'), pen.quote(txid)],
      ]),
    ],
    link: link === undefined ? null : { label: pen.say('withdrawal_completed_link'), url: link },
    notMe: null,
  }
}

type Ending = 'refused' | 'failed' | 'cancelled'

/** A withdrawal that came to nothing: the money is back. */
function ended(
  pen: Pen,
  ending: Ending,
  params: Params<'withdrawal_cancelled'> & { reason?: string },
): Letter {
  const amount = pen.amount(params.amount)
  const key = (part: 'subject' | 'title' | 'text') =>
    `withdrawal_${ending}_${part}` as const satisfies TextKey
  return {
    subject: pen.say(key('subject'), { amount }),
    title: pen.say(key('title')),
    paragraphs: [pen.say(key('text'), { amount })],
    code: null,
    facts: [
      ...moneyFacts(pen, params),
      ...facts([[pen.say('fact_reason'), params.reason === undefined ? null : pen.quote(params.reason)]]),
    ],
    link: null,
    notMe: null,
  }
}

export function withdrawalRefused(pen: Pen, params: Params<'withdrawal_refused'>): Letter {
  return ended(pen, 'refused', params)
}

export function withdrawalFailed(pen: Pen, params: Params<'withdrawal_failed'>): Letter {
  return ended(pen, 'failed', params)
}

export function withdrawalCancelled(pen: Pen, params: Params<'withdrawal_cancelled'>): Letter {
  return ended(pen, 'cancelled', params)
}
