import type { OperatorSupportMessage, SupportNote, SupportQueue, SupportTemplate } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { isMessage, isOutdated, type Message, operatorList, operatorQuery } from '../shared/calls.ts'

export const THREAD_QUEUES = [
  'open',
  'mine',
  'unassigned',
  'answered',
  'closed',
] as const satisfies readonly SupportQueue[]

interface SupportAnswer {
  member: number
  text: string
  /** The newest message that was read. */
  seen: number
  idempotencyKey: string
}

interface SeenUpTo {
  member: number
  id: number
}

interface Assigning {
  member: number
  /** Who gets it; null for nobody. */
  operator: string | null
  /** Who had it, as it was shown. */
  from: string | null
}

interface Writing {
  member: number
  text: string
  idempotencyKey: string
}

/** What a template is made of; of an edit with the version that was read. */
export interface TemplateTexts {
  name: string
  text_es: string
  text_en: string
}
interface Saving extends TemplateTexts {
  /** Null for a new one. */
  of: { id: number; version: number } | null
  idempotencyKey: string
}

/** As much of a conversation as is read in one go. */
const MESSAGES = 50

const supportApi = client.injectEndpoints({
  endpoints: (build) => ({
    supportThreads: operatorList(
      build,
      'supportThread',
      ({ state, page }: { state: SupportQueue; page: number }) =>
        `operator/support/?state=${state}&page=${page}`,
    ),
    supportConversation: operatorQuery(
      build,
      'supportConversation',
      ({ member, page }: { member: number; page: number }) =>
        `operator/support/${member}/?page_size=${MESSAGES}&page=${page}`,
    ),
    answerMember: build.mutation<OperatorSupportMessage, SupportAnswer>({
      query: ({ member, text, seen, idempotencyKey }) => ({
        path: `operator/support/${member}/answer/`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { text, seen },
        fits: conforms((contract) => contract.operatorSupportMessage),
      }),
      invalidatesTags: (answer) => (answer === undefined ? [] : ['Operator']),
    }),
    closeThread: build.mutation<Message, SeenUpTo>({
      query: ({ member, id }) => ({
        path: `operator/support/${member}/close/`,
        method: 'POST',
        body: { seen: id },
        fits: isMessage(),
      }),
      // Where it was refused, the member has written more: what is shown is stale as well.
      invalidatesTags: ['Operator'],
    }),
    supportAssignees: operatorQuery(build, 'supportAssignees', () => 'operator/support/assignees/'),
    supportTimes: operatorQuery(build, 'supportTimes', () => 'operator/support/times/'),
    supportAbout: operatorQuery(
      build,
      'supportAbout',
      (member: number) => `operator/support/${member}/about/`,
    ),
    supportNotes: operatorList(
      build,
      'supportNote',
      ({ member, page }: { member: number; page: number }) =>
        `operator/support/${member}/notes/?page=${page}`,
    ),
    filledTemplates: operatorQuery(
      build,
      'supportFilledTemplates',
      (member: number) => `operator/support/${member}/templates/`,
    ),
    supportTemplates: operatorQuery(build, 'supportTemplates', () => 'operator/support/templates/'),
    templateVersions: operatorQuery(
      build,
      'supportTemplates',
      (template: number) => `operator/support/templates/${template}/`,
    ),
    assignThread: build.mutation<Message, Assigning>({
      query: ({ member, ...body }) => ({
        path: `operator/support/${member}/assign/`,
        method: 'POST',
        body,
        fits: isMessage(),
      }),
      // Where it was refused, another operator was faster: what is shown is stale as well.
      invalidatesTags: ['Operator'],
    }),
    writeNote: build.mutation<SupportNote, Writing>({
      query: ({ member, text, idempotencyKey }) => ({
        path: `operator/support/${member}/notes/`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: { text },
        fits: conforms((contract) => contract.supportNote),
      }),
      invalidatesTags: (note) => (note === undefined ? [] : ['Operator']),
    }),
    saveTemplate: build.mutation<SupportTemplate, Saving>({
      query: ({ of, idempotencyKey, ...texts }) => ({
        path: `operator/support/templates/${of === null ? '' : `${of.id}/`}`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: of === null ? texts : { ...texts, version: of.version },
        fits: conforms((contract) => contract.supportTemplate),
      }),
      invalidatesTags: (template, failure) =>
        template !== undefined || isOutdated(failure) ? ['Operator'] : [],
    }),
    removeTemplate: build.mutation<Message, { id: number; version: number }>({
      query: ({ id, version }) => ({
        path: `operator/support/templates/${id}/remove/`,
        method: 'POST',
        body: { version },
        fits: isMessage(),
      }),
      invalidatesTags: ['Operator'],
    }),
    markThreadSeen: build.mutation<{ unread: number }, SeenUpTo>({
      query: ({ member, id }) => ({ path: `operator/support/${member}/read/`, method: 'POST', body: { id } }),
    }),
  }),
})

export const {
  useSupportThreadsQuery,
  useSupportConversationQuery,
  useAnswerMemberMutation,
  useCloseThreadMutation,
  useMarkThreadSeenMutation,
  useSupportAssigneesQuery,
  useSupportTimesQuery,
  useSupportAboutQuery,
  useSupportNotesQuery,
  useFilledTemplatesQuery,
  useSupportTemplatesQuery,
  useTemplateVersionsQuery,
  useAssignThreadMutation,
  useWriteNoteMutation,
  useSaveTemplateMutation,
  useRemoveTemplateMutation,
} = supportApi
