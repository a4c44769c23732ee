import * as contract from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { DISCLOSURE, type Disclosed } from './disclosure.ts'

/** What a field says of another member; null where it is about the reader, or says nothing of a person. */
const MEANS: Readonly<Record<string, Disclosed | null>> = {
  id: null,
  date: 'joined',
  joined: 'joined',
  status: 'active',
  active: 'active',
  state: null,
  is_master_code: 'master',
  referred_username: 'username',
  referred_email: 'email',
  referred_phone_number: 'phone',
  username: 'username',
  user_username: 'username',
  user_email: 'hiddenEmail',
  name: 'name',
  imageUrl: 'picture',
  parentId: 'place',
  depth: 'place',
  level: 'place',
  leg: 'place',
  path: 'place',
  path_skipped: null,
  plan_name: 'invested',
  invested: 'invested',
  brought: 'team',
  earned: null,
  investment_amount: 'investments',
  points: 'investments',
  children_count: 'team',
  direct: 'team',
  team: 'team',
  team_volume: 'team',
  leg_volumes: 'team',
  // The reader's own payment, and why.
  kind: null,
  reason: null,
  amount: null,
  sentence: null,
  why: null,
}

const fields = (schema: { readonly shape: object }) => Object.keys(schema.shape)
const search = contract.treeSearch.shape.results.element

describe('the terms name everything that an answer holds', () => {
  it.each([
    ['referrals', 'sponsor', fields(contract.referral)],
    ['the tree', 'upline', fields(contract.treeNode)],
    ['the side sheet', 'upline', fields(contract.treeMember)],
    ['the search', 'upline', fields(search)],
    ['direct payments', 'upline', fields(contract.directPayment)],
    ['binary points', 'upline', fields(contract.binaryPoints)],
    ['what was not paid', 'upline', fields(contract.notPaid)],
  ] as const)('of %s, to the %s', (_answer, viewer, names) => {
    const said: readonly string[] = DISCLOSURE[viewer]
    for (const name of names) {
      const meant = MEANS[name]
      expect(meant, `the field ${name} is not in the terms`).toBeDefined()
      // A date of an investment or a payment is its own; a state of one too.
      if (meant === null || meant === undefined || (viewer === 'upline' && ['date', 'status'].includes(name)))
        continue
      expect(said, name).toContain(meant)
    }
  })

  it('to who opens a registration link: the first name, or the username', () => {
    expect(fields(contract.inviter)).toEqual(['name', 'ref_code'])
    expect(DISCLOSURE.referrals).toEqual(['firstName'])
  })

  it('to operators, in the lists of withdrawals and conversations', () => {
    const about = [...fields(contract.queuedWithdrawal), ...fields(contract.supportThread)]
    for (const name of ['username', 'email']) expect(about).toContain(name)
    expect(about.filter((name) => /phone|first_name|last_name/.test(name))).toEqual([])
  })
})
