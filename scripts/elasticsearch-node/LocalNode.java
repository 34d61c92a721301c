import java.nio.file.Path;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * One Elasticsearch node on a free port of the loopback interface. Usage: LocalNode HOME, where HOME/modules holds its
 * modules. Prints one line, `ready http://127.0.0.1:PORT`, and ends with its standard input, so that it never outlives
 * the process that started it.
 */
public final class LocalNode {
  public static void main(String[] args) throws Exception {
    LogConfigurator.configureESLogging();
    var home = Path.of(args[0]).toAbsolutePath();
    var settings = Settings.builder()
        .put("path.home", home.toString())
        .put("cluster.name", "readback-local")
        .put("discovery.type", "single-node")
        .put("network.host", "127.0.0.1")
        .put("http.port", "0")
        .put("transport.port", "0")
        // A disk that is nearly full would make all indices read-only.
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    var environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "local");
    var modules = PluginsLoader.loadModulesBundles(environment.modulesDir());
    var plugins = PluginsLoader.loadPluginsBundles(environment.pluginsDir());
    try (var node = new Node(environment, PluginsLoader.createPluginsLoader(modules, plugins, Map.of(), false))) {
      node.start();
      var http = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress();
      System.out.println("ready http://127.0.0.1:" + http.getPort());
      while (System.in.read() >= 0) {
        // Nothing is said to it.
      }
    }
  }
}
