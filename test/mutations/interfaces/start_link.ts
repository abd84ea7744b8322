import type { Mutation } from '../mutation.ts';

const tests = ['test/console/start_link.test.ts'];

/** The link of `npm start`: who may see it, and that it works once. */
export const START_LINK: readonly Mutation[] = [
  {
    name: 'start_link_works_twice',
    file: 'shared/domains/agents/sessions/start_link.ts',
    from: 'if (used.length === 0) throw over();',
    to: 'if (used.length > 1) throw over();',
    tests,
    grep: 'works once',
  },
  {
    name: 'start_link_offers_what_was_used',
    file: 'api/console/session/start_routes.tsx',
    from: "const used = code !== '' && (await isUsed(context, code));",
    to: "const used = code === '' && (await isUsed(context, code));",
    tests,
    grep: 'works once',
  },
  {
    name: 'start_link_never_ends',
    file: 'shared/domains/agents/sessions/start_link.ts',
    from: 'if (clock.now() > link.endsAt) throw over();',
    to: '',
    tests,
    grep: 'over after a day',
  },
  {
    name: 'start_link_takes_any_code',
    file: 'shared/domains/agents/sessions/start_link.ts',
    from: 'if (!link || !timingSafeEqual(digestOf(code), digestOf(link.code))) throw over();',
    to: 'if (!link || digestOf(code).length !== 32) throw over();',
    tests,
    grep: 'takes no other code',
  },
  {
    name: 'start_link_is_used_by_a_look',
    file: 'api/console/session/start_routes.tsx',
    from: 'send(console, ctx, { code, used });',
    to: `const look = { device: '', address: ctx.state.address };
        if (code) await signInByLink(context, code, look);
        send(console, ctx, { code, used });`,
    tests,
    grep: 'looked at without',
  },
  {
    name: 'start_link_takes_forms_of_other_sites',
    file: 'api/console/session/start_routes.tsx',
    from: 'assertSameOrigin(ctx, context.config.api.publicUrl);',
    to: '',
    tests,
    grep: 'another site',
  },
  {
    name: 'start_link_is_shown_by_any_name',
    file: 'api/console/session/local_request.ts',
    from: 'isLoopback(hostOf(headers.host)) &&',
    to: "hostOf(headers.host) !== '' &&",
    tests,
    grep: 'is no page for others',
  },
  {
    name: 'start_link_is_shown_through_routers',
    file: 'api/console/session/local_request.ts',
    from: '!Object.keys(headers).some((name) => FORWARDED.test(name));',
    to: 'FORWARDED.source.length > 0;',
    tests,
    grep: 'is no page for others',
  },
  {
    name: 'start_link_is_shown_where_there_is_none',
    file: 'api/console/session/start_routes.tsx',
    from: 'agents.startLink !== undefined &&',
    to: '',
    tests,
    grep: 'without one',
  },
  {
    name: 'start_link_is_shown_beside_a_public_address',
    file: 'api/console/session/start_routes.tsx',
    from: 'isLoopback(new URL(api.publicUrl).hostname) &&',
    to: '',
    tests,
    grep: 'another address',
  },
  {
    name: 'start_link_works_in_production',
    file: 'shared/domains/agents/settings.ts',
    from: "startLink: production ? undefined : optional('START_LINK', startLinkOf)",
    to: "startLink: optional('START_LINK', startLinkOf)",
    tests,
    grep: 'production',
  },
  {
    name: 'start_link_is_shown_to_other_machines',
    file: 'api/console/session/local_request.ts',
    from: "/^(::ffff:)?127\\.|^::1$/.test(socket.remoteAddress ?? '') &&",
    to: '',
    tests,
    grep: 'another machine',
  },
];
