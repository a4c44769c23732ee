import type { TreeNode } from '@aval/contract'
import { client } from '../../api/client.ts'
import {
  type MemberDetails,
  type SearchResults,
  searchPath,
  type TreeQuestion,
  treePath,
  type Way,
} from './questions.ts'

/** An answer beside what was asked: while another one is on its way, the page goes on showing what this one was for. */
export interface TreeAnswer {
  readonly question: TreeQuestion
  readonly nodes: readonly TreeNode[]
}

interface ChildrenQuestion extends TreeQuestion {
  readonly childrenOf: string
  readonly offset: number
  readonly count: number
}

const treeApi = client.injectEndpoints({
  endpoints: (build) => ({
    tree: build.query<TreeAnswer, TreeQuestion>({
      query: (question) => ({ path: treePath(question) }),
      transformResponse: (nodes: TreeNode[], _, question) => ({ question, nodes }),
      providesTags: ['Tree'],
    }),
    treeChildren: build.query<TreeNode[], ChildrenQuestion>({
      query: ({ childrenOf, offset, count, ...question }) => ({
        path: treePath({ ...question, root: null }, { children_of: childrenOf, offset, count }),
      }),
      providesTags: ['Tree'],
    }),
    treeWay: build.query<TreeNode[], { id: string; view: TreeQuestion['view'] }>({
      query: ({ id, view }) => ({ path: `tree/path/?id=${encodeURIComponent(id)}&view=${view}` }),
      transformResponse: ({ nodes }: Way) => [...nodes],
      providesTags: ['Tree'],
    }),
    treeSearch: build.query<SearchResults, { q: string; view: TreeQuestion['view'] }>({
      query: ({ q, view }) => ({ path: searchPath(q, view) }),
      providesTags: ['Tree'],
    }),
    treeMember: build.query<MemberDetails, string>({
      query: (id) => ({ path: `tree/members/${encodeURIComponent(id)}/` }),
      providesTags: ['Tree'],
    }),
  }),
})

export const {
  useTreeQuery,
  useLazyTreeChildrenQuery,
  useLazyTreeWayQuery,
  useTreeSearchQuery,
  useTreeMemberQuery,
} = treeApi
