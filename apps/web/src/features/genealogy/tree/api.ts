import type { PlacementSide, TreeMember, TreeNode, TreePath, TreeSearch } from '@aval/contract'
import { client } from '../../../api/client.ts'
import { conforms } from '../../../api/conforms.ts'
import { searchPath, type TreeQuestion, treePath, wayPath } from './questions.ts'

/** An answer with its request: while another one loads, the page goes on showing this one. */
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
    treeWay: build.query<TreeNode[], Omit<TreeQuestion, 'root'> & { id: string }>({
      query: ({ id, ...question }) => ({ path: wayPath(question, id) }),
      transformResponse: ({ nodes }: TreePath) => nodes,
      providesTags: ['Tree'],
    }),
    treeSearch: build.query<TreeSearch, { q: string; view: TreeQuestion['view'] }>({
      query: ({ q, view }) => ({ path: searchPath(q, view) }),
      providesTags: ['Tree'],
    }),
    treeMember: build.query<TreeMember, string>({
      query: (id) => ({ path: `tree/members/${encodeURIComponent(id)}/` }),
      providesTags: ['Tree'],
    }),
    placementSide: build.query<{ side: PlacementSide }, void>({
      query: () => ({
        path: 'tree/placement-side/',
        fits: conforms((contract) => contract.placementSide),
      }),
    }),
    setPlacementSide: build.mutation<{ message: string }, PlacementSide>({
      query: (side) => ({
        path: 'tree/placement-side/',
        method: 'POST',
        body: { side },
        fits: conforms((contract) => contract.messageObject),
      }),
      // Nobody moves, so the tree stays as it is.
      async onQueryStarted(side, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => null)
        if (answer !== null) dispatch(treeApi.util.upsertQueryData('placementSide', undefined, { side }))
      },
    }),
  }),
})

export const {
  useTreeQuery,
  useLazyTreeChildrenQuery,
  useLazyTreeWayQuery,
  useTreeSearchQuery,
  useTreeMemberQuery,
  usePlacementSideQuery,
  useSetPlacementSideMutation,
} = treeApi
