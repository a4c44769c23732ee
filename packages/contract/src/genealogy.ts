import { z } from 'zod'
import { amountText, instant, pageQuery, typedText } from './common.ts'

/** Whom to list: those who have an investment, or those who have none. */
export const REFERRAL_STATUSES = ['active', 'inactive'] as const
export type ReferralStatus = (typeof REFERRAL_STATUSES)[number]

/** By what referrals are ordered; with a minus the greatest, the latest, or the end of the alphabet first. */
export const REFERRAL_SORTS = ['date', 'name', 'invested', 'brought', 'earned'] as const
export type ReferralSort = (typeof REFERRAL_SORTS)[number]
export type ReferralOrder = ReferralSort | `-${ReferralSort}`
const ORDERS = REFERRAL_SORTS.flatMap((sort): ReferralOrder[] => [sort, `-${sort}`])
/** Members who introduced more are not searched, nor ordered by anything but the date. */
export const REFERRALS_LOOKED_AT = 20_000

/** GET tree/get-referrals/?page=&status=&q=&sort= */
export const referralQuery = pageQuery.extend({
  status: z.enum(REFERRAL_STATUSES).optional(),
  /** Beginnings of words of the name or the username, or the beginning of the e-mail. */
  q: typedText().min(1, 'input_invalid').max(64, 'input_invalid').optional(),
  sort: z.enum(ORDERS, 'input_invalid').default('-date'),
})

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
  /** What the referral has invested now. */
  invested: amountText,
  /** What everybody below the referral has invested now, the referral's own not included. */
  brought: amountText,
  /** Direct and master commissions that the caller was paid for investments of the referral and of everybody below, less what was taken back. */
  earned: amountText,
})
export type Referral = z.infer<typeof referral>

/** Where a member's next referrals are placed; `weaker`: on the side that has fewer of their own referrals. */
export const PLACEMENT_SIDES = ['left', 'right', 'weaker'] as const
export type PlacementSide = (typeof PLACEMENT_SIDES)[number]

/** The body of POST tree/placement-side/, and the answer of GET. */
export const placementSide = z.object({ side: z.enum(PLACEMENT_SIDES, 'input_invalid') })

/** Which tree: who introduced whom, or who stands where. */
export const TREE_VIEWS = ['unilevel', 'binary'] as const
export type TreeView = (typeof TREE_VIEWS)[number]

/** A node of GET tree/get-binary-tree/. Parents come before their children. */
export const treeNode = z.object({
  id: z.string(),
  /** Empty at the top of the answer. */
  parentId: z.string(),
  username: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  /** The invested amount; asked for as of a day, what it was at that day's end. */
  plan_name: amountText,
  is_master_code: z.boolean(),
  /** Own referrals, in the binary view the places below that are taken; whether or not they are in this answer. */
  children_count: z.int(),
  /** Steps below the caller, in the tree that was asked for. */
  depth: z.int(),
  /** Side of the binary tree on which the member was placed; null for the first member of all. */
  leg: z.enum(['L', 'R']).nullable(),
})
export type TreeNode = z.infer<typeof treeNode>

/** How many nodes one answer holds at most. */
export const TREE_LIMIT = 2000
/** Levels below the top that can be asked for. */
export const TREE_DEPTH_LIMIT = 50
/** Children a page, where it is not said. */
export const CHILDREN_PAGE = 5
/** Characters of a node's name. */
export const NODE_NAME_LENGTH = 22
/** How many members a search finds at most. */
export const SEARCH_LIMIT = 20
/** How many nodes the way to a member has at most; of a longer one, both ends. */
export const PATH_LIMIT = 200
/** The same of a member that a search found. */
export const SEARCH_PATH_LIMIT = 100

/** What nodes are called: `O-` and the member's number. */
const nodeName = z.string().regex(/^O-[1-9]\d{0,17}$/, 'input_invalid')
const whole = (max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'input_invalid')
    .transform(Number)
    .refine((value) => value >= min && value <= max, 'input_invalid')
const view = z.enum(TREE_VIEWS, 'input_invalid').default('unilevel')
const day = z
  .string()
  .regex(/^2\d{3}-\d{2}-\d{2}$/, 'dates_invalid')
  .refine((text) => z.iso.date().safeParse(text).success, 'dates_invalid')

/**
 * The query of GET tree/get-binary-tree/. Without one: the caller's sponsor tree. With `children_of` the answer is one page
 * of that member's children, and what else is asked for besides the view and the day is left out of account.
 */
export const treeQuery = z.object({
  /** The caller, or somebody below them in the view. */
  root: nodeName.optional(),
  depth: whole(TREE_DEPTH_LIMIT, 1).optional(),
  view,
  limit: whole(TREE_LIMIT, 1).default(TREE_LIMIT),
  children_of: nodeName.optional(),
  offset: whole(999_999_999).default(0),
  count: whole(TREE_LIMIT, 1).default(CHILDREN_PAGE),
  /** Who had joined by the end of this day, in the plan's time zone. */
  as_of: day.optional(),
})
export type TreeQuery = z.output<typeof treeQuery>

/** The query of GET tree/search/. */
export const treeSearchQuery = z.object({
  q: typedText().min(2, 'input_invalid').max(64, 'input_invalid'),
  view,
})

/** The answer of GET tree/search/: by name, username, or e-mail. */
export const treeSearch = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      name: z.string(),
      /** Steps below the caller. */
      depth: z.int(),
      /** The way down, from the caller to the member. */
      path: z.array(z.string()),
      /** How many members in the middle of the way are left out. */
      path_skipped: z.int(),
    }),
  ),
  /** There may be others: to type more finds them. */
  more: z.boolean(),
})
export type TreeSearch = z.infer<typeof treeSearch>

/** The query of GET tree/path/; as of a day, members who joined later have no way. */
export const treePathQuery = z.object({ id: nodeName, view, as_of: day.optional() })
export type TreePathQuery = z.output<typeof treePathQuery>

/** The answer of GET tree/path/: from the caller down to the member. */
export const treePath = z.object({
  nodes: z.array(treeNode),
  /** How many members in the middle are left out; there, a node's parent is not in the list. */
  skipped: z.int(),
})
export type TreePath = z.infer<typeof treePath>

/** GET tree/members/{id}/: what a member sees of somebody in their downline. */
export const treeMember = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  joined: instant,
  /** Has an investment. */
  active: z.boolean(),
  invested: amountText,
  /** How many the member introduced, */
  direct: z.int(),
  /** and how many descend from those, these included. */
  team: z.int(),
  /** What the team has invested. */
  team_volume: amountText,
  /** Steps below the caller. */
  level: z.int(),
  /** What is invested below the member on each side of the binary tree. */
  leg_volumes: z.object({ left: amountText, right: amountText }),
  is_master_code: z.boolean(),
})
export type TreeMember = z.infer<typeof treeMember>
