/* agent.c: the table comes first. The functions below it work for any rows. */
#include "agent/agent.h"

#include "base/buf.h"
#include "base/strings.h"

#define EVENTS(action, subagent)                                          \
	{                                                                 \
		"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", \
			action, subagent, "PostToolUse"                   \
	}
#define TRUST(name) \
	name " reads a project's configuration once you trust the project"

static const struct agent agents[] = {
	{.name = "claude",
	 .title = "Claude Code",
	 .context_max = 9500, /* it takes 10,000 characters */
	 .project_hint = "claude asks each user once before it starts the "
			 "server of a project",
	 .variable = "CLAUDE_CONFIG_DIR",
	 .user = {{".claude.json", CONFIG_SERVER, "", NULL},
		  {"settings.json", CONFIG_HOOKS, ".claude/", NULL}},
	 .project = {{".mcp.json", CONFIG_SERVER, NULL, NULL},
		     {".claude/settings.json", CONFIG_HOOKS, NULL, NULL}},
	 .memory = {"CLAUDE.md", 0, ".claude/", NULL},
	 .project_memory = {"projects/%/memory", 0, ".claude/", NULL},
	 .servers = "mcpServers",
	 .type = "stdio",
	 .events = EVENTS("PreToolUse", "SubagentStart"),
	 .tools = "Edit|MultiEdit|Write|NotebookEdit|Bash",
	 .project_variable = "CLAUDE_PROJECT_DIR",
	 .session_variable = "CLAUDE_CODE_SESSION_ID",
	 .client = "claude-code",
	 .client_columns = 72,
	 .attended_variable = "CLAUDE_CODE_ENTRYPOINT",
	 .attended = "cli"},
	{.name = "codex",
	 .title = "Codex",
	 .context_max = 9500, /* 2,500 tokens */
	 .hint = "codex runs hooks once you trust them: type /hooks there",
	 .project_hint = TRUST("codex"),
	 .variable = "CODEX_HOME",
	 .user = {{"config.toml", CONFIG_SERVER | CONFIG_TOML, ".codex/", NULL},
		  {"hooks.json", CONFIG_HOOKS, ".codex/", NULL}},
	 .project = {{".codex/config.toml", CONFIG_SERVER | CONFIG_TOML, NULL,
		      NULL},
		     {".codex/hooks.json", CONFIG_HOOKS, NULL, NULL}},
	 .memory = {"AGENTS.md", 0, ".codex/", NULL},
	 .servers = "mcp_servers",
	 .events = EVENTS("PreToolUse", "SubagentStart"),
	 .tools = "Bash|apply_patch",
	 .unseen = "its web searches",
	 .end_seconds = 3}, /* it warns at each start if it is more */
	{.name = "gemini",
	 .title = "Gemini CLI",
	 .context_max = 9500,
	 .project_hint = TRUST("gemini"),
	 .user = {{"settings.json", CONFIG_SERVER | CONFIG_HOOKS, ".gemini/",
		   NULL}},
	 .project = {{".gemini/settings.json", CONFIG_SERVER | CONFIG_HOOKS,
		      NULL, NULL}},
	 .memory = {"GEMINI.md", 0, ".gemini/", NULL},
	 .servers = "mcpServers",
	 .events = {"SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd",
		    "AfterTool", NULL, "AfterTool"},
	 .tools = "replace|write_file|run_shell_command",
	 .after_tool = true, /* it takes no text before a tool */
	 .named_hooks = true,
	 .hook_ms = true,
	 .drops_context = true,
	 .project_variable = "GEMINI_PROJECT_DIR"},
	{.name = "opencode",
	 .title = "OpenCode",
	 .context_max = 9500,
	 .variable = "XDG_CONFIG_HOME",
	 .user = {{"opencode/opencode.json", CONFIG_SERVER, ".config/",
		   "opencode/opencode.jsonc"},
		  {"opencode/plugins/co.js", CONFIG_PLUGIN, ".config/", NULL}},
	 .project = {{"opencode.json", CONFIG_SERVER, NULL, "opencode.jsonc"},
		     {".opencode/plugins/co.js", CONFIG_PLUGIN, NULL, NULL}},
	 .servers = "mcp",
	 .type = "local",
	 .one_list = true,
	 .own_key = "$schema",
	 .events = EVENTS("PreToolUse", "SubagentStart"), /* the plugin's */
	 .stop_is_last = true,
	 .ignores_reason = true},
	{.name = "qwen",
	 .title = "Qwen Code",
	 .context_max = 9500,
	 .project_hint = TRUST("qwen"),
	 .variable = "QWEN_HOME",
	 .user = {{"settings.json", CONFIG_SERVER | CONFIG_HOOKS, ".qwen/",
		   NULL}},
	 .project = {{".qwen/settings.json", CONFIG_SERVER | CONFIG_HOOKS, NULL,
		      NULL}},
	 .memory = {"QWEN.md", 0, ".qwen/", NULL},
	 .servers = "mcpServers",
	 .events = EVENTS("PostToolUse", "SubagentStart"),
	 .tools = "edit|write_file|run_shell_command",
	 .after_tool = true, /* it reads text before a tool, and drops it */
	 .stop_is_last = true},
	{.name = "copilot",
	 .title = "Copilot CLI",
	 .context_max = 9500,
	 .project_hint = TRUST("copilot"),
	 .variable = "COPILOT_HOME",
	 .user = {{"mcp-config.json", CONFIG_SERVER, ".copilot/", NULL},
		  {"hooks/co.json", CONFIG_HOOKS, ".copilot/", NULL}},
	 .project = {{".github/mcp.json", CONFIG_SERVER, NULL, NULL},
		     {".github/hooks/co.json", CONFIG_HOOKS, NULL, NULL}},
	 .servers = "mcpServers",
	 .events = EVENTS("PreToolUse", "SubagentStart"),
	 .tools = "edit|create|str_replace_editor|apply_patch|bash|"
		  "Edit|Write|Bash",
	 .flat_answer = true,
	 .late_record = true},
	{.name = "cursor",
	 .title = "Cursor",
	 .user_hint = "--project writes a rule as well, for the project",
	 .user = {{"mcp.json", CONFIG_SERVER, ".cursor/", NULL}},
	 .project = {{".cursor/mcp.json", CONFIG_SERVER, NULL, NULL},
		     {".cursor/rules/co.mdc", CONFIG_RULE, NULL, NULL}},
	 .servers = "mcpServers",
	 .unseen = "what it reads from outside"},
	{.name = "continue",
	 .title = "Continue",
	 .variable = "CONTINUE_GLOBAL_DIR",
	 .user = {{"mcpServers/co.json", CONFIG_SERVER, ".continue/", NULL},
		  {"rules/co.md", CONFIG_RULE, ".continue/", NULL}},
	 .project = {{".continue/mcpServers/co.json", CONFIG_SERVER, NULL,
		      NULL},
		     {".continue/rules/co.md", CONFIG_RULE, NULL, NULL}},
	 .servers = "mcpServers",
	 .unseen = "what it reads from outside"},
};

const struct agent *agent_at(size_t i)
{
	return i < ARRAY_LEN(agents) ? &agents[i] : NULL;
}

const struct agent *agent_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		if (!strcmp(agents[i].name, name))
			return &agents[i];
	}
	return NULL;
}

const struct agent *agent_near(const char *name)
{
	const struct agent *near = NULL;
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		const size_t d = strstr(name, agents[i].name)
					 ? 0
					 : strings_near(agents[i].name, name);

		if (d < least) {
			least = d;
			near = &agents[i];
		}
	}
	return near;
}

bool agent_has_hooks(const struct agent *agent)
{
	return agent->events[0];
}

/* Add to NAMES, unless it is filled already, the names of all agents, or of
 * those with HOOKS, and return them. */
static const char *join_names(struct buf *names, bool hooks)
{
	if (names->len)
		return names->p;
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		if (!hooks || agent_has_hooks(&agents[i]))
			buf_addf(names, "%s%s", names->len ? "|" : "",
				 agents[i].name);
	}
	return names->p;
}

const char *agent_names(void)
{
	static struct buf names;

	return join_names(&names, false);
}

const char *agent_names_with_hooks(void)
{
	static struct buf names;

	return join_names(&names, true);
}
