import { z } from 'zod'
import { amountText, instant, pageQuery } from './common.ts'

/** Whom to list: those who have an investment, or those who have none. */
export const REFERRAL_STATUSES = ['active', 'inactive'] as const
export type ReferralStatus = (typeof REFERRAL_STATUSES)[number]

/** GET tree/get-referrals/?page=&status= */
export const referralQuery = pageQuery.extend({ status: z.enum(REFERRAL_STATUSES).optional() })

/** A row of GET tree/get-referrals/: somebody the caller introduced. */
export const referral = z.object({
  id: z.int(),
  date: instant,
  /** Active: has an investment. */
  status: z.boolean(),
  is_master_code: z.boolean(),
  referred_username: z.string(),
  referred_email: z.string(),
  referred_phone_number: z.string(),
})
export type Referral = z.infer<typeof referral>

/** A node of GET tree/get-binary-tree/. Parents come before their children. */
export const treeNode = z.object({
  id: z.string(),
  /** Empty at the top. */
  parentId: z.string(),
  username: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  /** The invested amount. */
  plan_name: amountText,
  is_master_code: z.boolean(),
  /** Own referrals, whether or not they are in this answer. */
  children_count: z.int(),
  /** Steps below the caller. */
  depth: z.int(),
  /** Side of the binary tree on which the member was placed; null for the first member of all. */
  leg: z.enum(['L', 'R']).nullable(),
})
export type TreeNode = z.infer<typeof treeNode>

/** How many nodes one answer holds at most. */
export const TREE_LIMIT = 2000
/** Characters of a node's name. */
export const NODE_NAME_LENGTH = 22
